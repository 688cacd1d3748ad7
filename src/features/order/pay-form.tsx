import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';

/**
 * A button that pays an unpaid order: `POST /pay`. A whole page load, because the next page may post a form to the
 * payment partner and needs a policy of its own.
 */
export function PayForm({
  orderNumber,
  look,
  disabled,
  children,
}: {
  orderNumber: string;
  look?: 'primary' | 'secondary';
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <Form action="/pay" className="max-wide:w-full" method="post" reloadDocument>
      <input name="order" type="hidden" value={orderNumber} />
      <Button className="max-wide:w-full" disabled={disabled} look={look}>
        {children}
      </Button>
    </Form>
  );
}
