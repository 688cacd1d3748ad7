import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import { Button } from '~/ui/button.tsx';

/**
 * A button that pays an unpaid order: `POST /pay`. A full page load, because the next page may submit a form to the
 * provider and needs its own security policy.
 */
export function PayForm({
  orderNumber,
  provider,
  look,
  busy,
  disabled,
  newTab,
  onSubmit,
  children,
}: {
  orderNumber: string;
  /** By default the first configured one. */
  provider?: ProviderName;
  look?: 'primary' | 'secondary';
  busy?: boolean;
  disabled?: boolean;
  newTab?: boolean;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}) {
  return (
    <Form
      action="/pay"
      className="max-wide:w-full"
      method="post"
      onSubmit={onSubmit}
      reloadDocument
      target={newTab ? '_blank' : undefined}
    >
      <input name="order" type="hidden" value={orderNumber} />
      {provider ? <input name="provider" type="hidden" value={provider} /> : null}
      <Button busy={busy} className="max-wide:w-full" disabled={disabled} look={look}>
        {children}
      </Button>
    </Form>
  );
}

/** The other provider, offered where the first failed to start or declined. */
export function OtherWay({
  orderNumber,
  provider,
  look = 'secondary',
}: {
  orderNumber: string;
  provider: ProviderName;
  look?: 'primary' | 'secondary';
}) {
  const { t } = useTranslation('payment');
  return (
    <PayForm look={look} orderNumber={orderNumber} provider={provider}>
      {t(`other.${provider}`)}
    </PayForm>
  );
}
