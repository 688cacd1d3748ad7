import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatMoment, UTC } from '~/base/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { reasonKey } from '~/features/order/stopped.ts';
import type { Detail } from '../detail.server.ts';
import { useDeskLanguage } from '../queue-row-state.tsx';
import type { Dossier } from './dossier.server.ts';

/** Every try to pay the order, with what the partner said of it; the rest stands on the order's page. */
export function AttemptSection({
  application,
  dossier,
}: {
  application: Detail;
  dossier: Dossier;
}) {
  const { t } = useTranslation(['dossier', 'desk', 'payment', 'refund']);
  const language = useDeskLanguage();
  const { attempts, order } = application;
  return (
    <section className="desk-facts" id="attempts">
      <h3>{t('desk:detail.attempts')}</h3>
      {attempts.length === 0 ? <p className="desk-quiet">{t('desk:detail.noAttempts')}</p> : null}
      <ol className="desk-history">
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <p className="history-title">{t(`desk:detail.attemptState.${attempt.state}`)}</p>
            <p>
              {t('desk:detail.attemptValue', {
                amount: formatMoney(attempt.amount, language),
                provider: t(`desk:detail.provider.${attempt.provider}`, attempt.provider),
                moment: formatMoment(attempt.createdAt, language, UTC, 'dated'),
              })}
            </p>
            {attempt.reason ? <p>{t(`payment:reason.${reasonKey(attempt.reason)}`)}</p> : null}
            {attempt.refunded.minor > 0 ? (
              <p>
                {t('desk:detail.refunded', { amount: formatMoney(attempt.refunded, language) })}
              </p>
            ) : null}
            {attempt.transaction ? (
              <p className="history-code">
                <bdi>{t('desk:detail.transaction', { id: attempt.transaction })}</bdi>
              </p>
            ) : null}
            <Messages messages={dossier.attemptEvents[attempt.id] ?? []} />
          </li>
        ))}
      </ol>
      {order ? (
        <p>
          <Link className="letter-link" to={`/admin/orders/${order.number}`}>
            {t('attempts.order')}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

/** What the payment partner told us, message by message. */
function Messages({ messages }: { messages: Dossier['attemptEvents'][string] }) {
  const { t } = useTranslation('refund');
  const language = useDeskLanguage();
  if (messages.length === 0) return null;
  return (
    <details className="attempt-events">
      <summary>{t('attempts.events', { count: messages.length })}</summary>
      <ul>
        {messages.map(({ key, event, at, result }) => (
          <li key={key}>
            <span className="mono">
              <bdi dir="ltr">{`${event} → ${result}`}</bdi>
            </span>{' '}
            {formatMoment(at, language, UTC, 'dated')}
          </li>
        ))}
      </ul>
    </details>
  );
}
