import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney, type Money } from '~/base/money.ts';
import { changePath } from '~/features/order/payer/change-path.ts';
import { ButtonLink } from '~/ui/button.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import { PayForm, PayOtherWay } from '~/features/order/pay-form.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { StatusView } from './status-view.ts';

/**
 * The button that pays an unpaid order, also after a failed attempt. `due`: what the whole order costs. `isOfAll`: for
 * several travellers, each of whom is changed in their own card.
 */
export function PayBox({
  view,
  due,
  other,
  isOfAll = false,
}: {
  view: StatusView;
  due: Money;
  /** The other way to pay. */
  other: ProviderName | null;
  isOfAll?: boolean;
}) {
  const { t } = useTranslation('application');
  const amount = formatMoney(due, useLanguage());
  const visa = view.beside.find(({ kind }) => kind === 'visa');
  const change = changePath(visa?.number ?? view.number, view.orderNumber);
  return (
    <div className="mt-6 grid justify-items-start gap-3 max-wide:justify-items-stretch">
      <PayForm
        beside={<PayOtherWay className="max-wide:w-full" provider={other} total={due} />}
        orderNumber={view.orderNumber}
      >
        {t(view.paymentStatus === 'failed' ? 'pay.again' : 'pay.button', { amount })}
      </PayForm>
      <p className="text-small text-ink-2">{t('pay.partner')}</p>
      {isOfAll ? null : (
        <ButtonLink look="plain" to={change}>
          {t('pay.change')}
        </ButtonLink>
      )}
    </div>
  );
}
