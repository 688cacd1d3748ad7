import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { AttemptItem } from '../payments/attempt-item.tsx';
import { RefundFailure, RefundTag, Retry } from './order-refunds.tsx';
import type { OrderView } from './order-view.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Every payment attempt of the order with the provider's answer. */
export function OrderAttempts({ order, staff }: { order: OrderView; staff: Staff }) {
  const { t } = useTranslation(['refund', 'desk']);
  const language = useLanguage();
  return (
    <section className="desk-facts mt-7 scroll-mt-2">
      <h2>{t('desk:detail.attempts')}</h2>
      {order.attempts.length === 0 ? (
        <p className="text-ink-2">{t('desk:detail.noAttempts')}</p>
      ) : null}
      <ol className="desk-history">
        {order.attempts.map((attempt) => (
          <AttemptItem attempt={attempt} key={attempt.id} messages={attempt.events}>
            {attempt.refunds.map((refund) => (
              <div id={`refund-${refund.id}`} key={refund.id}>
                <p>
                  {t('attempts.late', { amount: formatMoney(refund.amount, language) })}{' '}
                  <RefundTag state={refund.state} />
                </p>
                <RefundFailure failure={refund.failure} />
                {refund.mayRetry && may(staff.role, 'release_refund') ? (
                  <Retry id={refund.id} />
                ) : null}
              </div>
            ))}
          </AttemptItem>
        ))}
      </ol>
    </section>
  );
}

/** Receipts and credit notes, as they were issued. */
export function OrderReceipts({ order }: { order: OrderView }) {
  const { t } = useTranslation('refund');
  const language = useLanguage();
  if (order.receipts.length === 0) return null;
  return (
    <section className="desk-facts mt-7 scroll-mt-2">
      <h2 id="receipts">{t('receipts.title')}</h2>
      <ul className="desk-history">
        {order.receipts.map(({ id, kind, number, issuedAt }) => (
          <li key={id}>
            <p className="font-semibold text-ink">{t(`receipts.${kind}`)}</p>
            <p>
              <a className="mono" href={`/admin/receipts/${id}`} target="_blank">
                <bdi dir="ltr">{number}</bdi>
              </a>{' '}
              {formatMoment(issuedAt, language, UTC, 'dated')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
