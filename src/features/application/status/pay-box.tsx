import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { changePath } from '~/features/order/payer/change-path.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { PayForm } from '~/features/order/pay-form.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { StatusView } from './status-view.ts';

/** Pay for what is saved and unpaid, also after an attempt that failed. */
export function PayBox({ view }: { view: StatusView }) {
  const { t } = useTranslation('application');
  const amount = formatMoney(view.due, useLanguage());
  const change = changePath(view.number, view.orderNumber);
  return (
    <div className="mt-6 grid justify-items-start gap-3 max-wide:justify-items-stretch">
      <PayForm orderNumber={view.orderNumber}>
        {t(view.paymentStatus === 'failed' ? 'pay.again' : 'pay.button', { amount })}
      </PayForm>
      <p className="text-small text-ink-2">{t('pay.partner')}</p>
      <ButtonLink look="plain" to={change}>
        {t('pay.change')}
      </ButtonLink>
    </div>
  );
}
