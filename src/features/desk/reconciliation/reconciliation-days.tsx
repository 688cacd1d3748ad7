import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDateShort, type PlainDate } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { DayReport } from './reconciliation.server.ts';
import { formatCount } from '../statistics/formats.ts';

/** One line per day and provider: what was taken, what went back, and whether the books agree. */
export function ReportDays({
  reports,
  day,
  before,
  older,
}: {
  reports: readonly DayReport[];
  /** Whose report is open below. */
  day: PlainDate | null;
  before: PlainDate | null;
  older: PlainDate | null;
}) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const place = before ? `&before=${before}` : '';
  const money = (amount: Money) => <bdi>{formatMoney(amount, language)}</bdi>;
  return (
    <>
      <table className="desk-table books-table reports">
        <caption className="visually-hidden">{t('reconciliation.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('reconciliation.day')}</th>
            <th scope="col">{t('payments.provider')}</th>
            <th className="books-amount" scope="col">
              {t('reconciliation.captured')}
            </th>
            <th className="books-amount" scope="col">
              {t('reconciliation.refunded')}
            </th>
            <th className="books-amount" scope="col">
              {t('reconciliation.net')}
            </th>
            <th className="books-amount" scope="col">
              {t('reconciliation.attempts')}
            </th>
            <th scope="col">{t('reconciliation.result')}</th>
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <tr
              aria-selected={report.day === day ? true : undefined}
              data-testid="report-row"
              key={`${report.day} ${report.provider}`}
            >
              <td className="reports-day figures">
                <Link
                  aria-current={report.day === day ? 'true' : undefined}
                  className="books-link"
                  to={`/admin/reconciliation?day=${report.day}${place}#report`}
                >
                  {formatDateShort(report.day, language)}
                </Link>
              </td>
              <td className="reports-provider">
                {t(`provider.${report.provider}`, report.provider)}
              </td>
              <td className="books-amount reports-captured figures">
                <span className="books-label">{t('reconciliation.captured')}</span>
                {money(report.captured)}
              </td>
              <td className="books-amount reports-refunded figures">
                <span className="books-label">{t('reconciliation.refunded')}</span>
                {money(report.refunded)}
              </td>
              <td className="books-amount reports-net figures">
                <span className="books-label">{t('reconciliation.net')}</span>
                {money(report.net)}
              </td>
              <td className="books-amount reports-attempts figures">
                {formatCount(report.attempts, 'en')}
              </td>
              <td className="reports-result">
                <Result report={report} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {before === null && older === null ? null : (
        <nav aria-label={t('pages.label')} className="page-links books-pages">
          {before === null ? null : <Link to="/admin/reconciliation">{t('pages.newest')}</Link>}
          {older === null ? null : (
            <Link to={`/admin/reconciliation?before=${older}`}>{t('pages.older')}</Link>
          )}
        </nav>
      )}
    </>
  );
}

/** Unanswered questions and differences can stand side by side; only neither of them is good. */
function Result({ report }: { report: DayReport }) {
  const { t } = useTranslation('books');
  return (
    <span className="queue-tags">
      {report.isFinished ? null : (
        <StatusTag tone="amber">
          {t('reconciliation.unfinished', { count: report.unanswered })}
        </StatusTag>
      )}
      {report.differing > 0 ? (
        <StatusTag tone="red">
          {t('reconciliation.differing', { count: report.differing })}
        </StatusTag>
      ) : null}
      {report.isFinished && report.differing === 0 ? (
        <StatusTag tone="green">{t('reconciliation.agree')}</StatusTag>
      ) : null}
    </span>
  );
}
