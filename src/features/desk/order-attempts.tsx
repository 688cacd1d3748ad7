import { useTranslation } from 'react-i18next';
import { formatMoment, UTC } from '~/base/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { reasonKey } from '~/features/order/stopped.ts';
import { RefundTag } from './order-refunds.tsx';
import type { OrderView } from './order-view.server.ts';
import { useDeskLanguage } from './queue-row-state.tsx';

/** Every try to pay the order, with what the provider said of it. */
export function OrderAttempts({ order }: { order: OrderView }) {
  const { t } = useTranslation(['refund', 'desk', 'payment']);
  const language = useDeskLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <section className="desk-facts order-section">
      <h2>{t('desk:detail.attempts')}</h2>
      {order.attempts.length === 0 ? (
        <p className="desk-quiet">{t('desk:detail.noAttempts')}</p>
      ) : null}
      <ol className="desk-history">
        {order.attempts.map((attempt) => (
          <li key={attempt.id}>
            <p className="history-title">{t(`desk:detail.attemptState.${attempt.state}`)}</p>
            <p>
              {t('desk:detail.attemptValue', {
                amount: formatMoney(attempt.amount, language),
                provider: t(`desk:detail.provider.${attempt.provider}`, attempt.provider),
                moment: moment(attempt.createdAt),
              })}
            </p>
            {attempt.reason ? (
              <p>
                {t(`payment:reason.${reasonKey(attempt.reason)}`)}{' '}
                <bdi className="mono" dir="ltr">
                  {attempt.reason}
                </bdi>
              </p>
            ) : null}
            {attempt.transaction ? (
              <p className="history-code">
                <bdi>{t('desk:detail.transaction', { id: attempt.transaction })}</bdi>
              </p>
            ) : null}
            {attempt.refunds.map((refund) => (
              <p key={refund.id}>
                {t('attempts.late', { amount: formatMoney(refund.amount, language) })}{' '}
                <RefundTag state={refund.state} />
              </p>
            ))}
            {attempt.events.length > 0 ? (
              <details className="attempt-events">
                <summary>{t('attempts.events', { count: attempt.events.length })}</summary>
                <ul>
                  {attempt.events.map(({ id, event, at, result }) => (
                    <li key={id}>
                      <span className="mono">
                        <bdi dir="ltr">{`${event} → ${result}`}</bdi>
                      </span>{' '}
                      {moment(at)}
                    </li>
                  ))}
                </ul>
              </details>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Numbered receipts and credit notes, as they were issued. */
export function OrderReceipts({ order }: { order: OrderView }) {
  const { t } = useTranslation('refund');
  const language = useDeskLanguage();
  if (order.receipts.length === 0) return null;
  return (
    <section className="desk-facts order-section">
      <h2>{t('receipts.title')}</h2>
      <ul className="desk-history">
        {order.receipts.map(({ id, kind, number, issuedAt }) => (
          <li key={id}>
            <p className="history-title">{t(`receipts.${kind}`)}</p>
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
