import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Actions } from './panel.tsx';

/** Search and filters above a list, a GET form. `query`: the address's present query. */
export function FilterForm({
  action,
  query,
  children,
}: {
  action: string;
  query: string;
  children: ReactNode;
}) {
  const { t } = useTranslation('books');
  return (
    <Form
      action={action}
      className="flex flex-wrap items-end gap-x-4 gap-y-3 [&_.control]:min-h-11 [&_.field-label]:text-fine/5 [&_.field-label]:font-medium [&_.field-label]:text-ink-2 [&>.field]:shrink max-wide:[&>.field]:grow max-wide:[&>.field]:basis-full wide:[&>.field]:basis-[180px] wide:[&>.field:has([type=search])]:max-w-[380px] wide:[&>.field:has([type=search])]:grow wide:[&>.field:has([type=search])]:basis-[260px]"
      key={query}
      method="get"
    >
      {children}
      <Actions>
        <Button look="secondary">{t('show')}</Button>
        {query === '' ? null : (
          <Link className="inline-flex min-h-11 items-center" to={action}>
            {t('clear')}
          </Link>
        )}
      </Actions>
    </Form>
  );
}
