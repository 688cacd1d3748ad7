import { useTranslation } from 'react-i18next';
import { formatMoment, UTC } from '~/base/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { RejectionText } from '~/features/application/rejection-text.tsx';
import type { Detail } from './detail.server.ts';
import { useDeskLanguage } from './queue-row-state.tsx';

/** Payment attempts and dated events, oldest first. */
export function ApplicationHistory({ application }: { application: Detail }) {
  return (
    <>
      <Attempts application={application} />
      <Events application={application} />
    </>
  );
}

function Attempts({ application: { attempts } }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useDeskLanguage();
  return (
    <section className="desk-facts">
      <h3>{t('detail.attempts')}</h3>
      {attempts.length === 0 ? <p className="desk-quiet">{t('detail.noAttempts')}</p> : null}
      <ol className="desk-history">
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <p className="history-title">{t(`detail.attemptState.${attempt.state}`)}</p>
            <p>
              {t('detail.attemptValue', {
                amount: formatMoney(attempt.amount, language),
                provider: t(`detail.provider.${attempt.provider}`, attempt.provider),
                moment: formatMoment(attempt.createdAt, language, UTC, 'dated'),
              })}
            </p>
            {attempt.reason ? <p>{attempt.reason}</p> : null}
            {attempt.refunded.minor > 0 ? (
              <p>{t('detail.refunded', { amount: formatMoney(attempt.refunded, language) })}</p>
            ) : null}
            {attempt.transaction ? (
              <p className="history-code">
                <bdi>{t('detail.transaction', { id: attempt.transaction })}</bdi>
              </p>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Events({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useDeskLanguage();
  const { mailSentAt, rejectionCode: code, rejectionReason: words } = application;
  const mail = mailSentAt ? [{ kind: 'mail_sent' as const, at: mailSentAt, by: null }] : [];
  const events = [...application.events, ...mail].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  return (
    <section className="desk-facts">
      <h3>{t('detail.timeline')}</h3>
      <ol className="desk-history">
        {events.map(({ kind, at, by }) => {
          const moment = formatMoment(at, language, UTC, 'dated');
          return (
            <li key={`${kind}-${at.getTime()}`}>
              <p className="history-title">{t(`detail.event.${kind}`)}</p>
              <p>{by ? t('detail.eventValue', { moment, name: by }) : moment}</p>
              {kind === 'rejected' ? (
                <div className="history-reason">
                  <RejectionText rejection={{ code, words }} />
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
