import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoney } from '~/base/money.ts';
import { AttemptItem } from '../payments/attempt-item.tsx';
import type { Detail } from '../records/detail.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CaseFile } from './case-file.server.ts';

/** Every payment attempt of the order with the provider's answer; details are on the order's page. */
export function AttemptSection({
  application,
  caseFile,
}: {
  application: Detail;
  caseFile: CaseFile;
}) {
  const { t } = useTranslation(['case-file', 'desk']);
  const language = useLanguage();
  const { attempts, order } = application;
  return (
    <section className="desk-facts" id="attempts">
      <h3>{t('desk:detail.attempts')}</h3>
      {attempts.length === 0 ? <p className="text-ink-2">{t('desk:detail.noAttempts')}</p> : null}
      <ol className="desk-history">
        {attempts.map((attempt) => (
          <AttemptItem
            attempt={attempt}
            key={attempt.id}
            messages={caseFile.attemptEvents[attempt.id] ?? []}
          >
            {attempt.refunded.minor > 0 ? (
              <p>
                {t('desk:detail.refunded', { amount: formatMoney(attempt.refunded, language) })}
              </p>
            ) : null}
          </AttemptItem>
        ))}
      </ol>
      {order ? (
        <p>
          <Link className="desk-link" to={`/admin/orders/${order.number}`}>
            {t('attempts.order')}
          </Link>
        </p>
      ) : null}
    </section>
  );
}
