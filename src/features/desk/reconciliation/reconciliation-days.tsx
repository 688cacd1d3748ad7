import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDateShort, type PlainDate } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import { PAGE_LINKS } from '../frame/cursor-links.tsx';
import { EntryLabel } from '../frame/desk-section.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { DayReport } from './reconciliation.server.ts';
import { formatCount } from '../frame/formats.ts';

/** One line for each day and provider: captured, refunded, and whether the books agree. */
export function ReportDays({
  reports,
  day,
  before,
  older,
}: {
  reports: readonly DayReport[];
  /** The day whose differences are shown below. */
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
      <table className="desk-table row-entries mt-3">
        <caption className="sr-only">{t('reconciliation.caption')}</caption>
        <thead className="max-wide:sr-only">
          <tr>
            <th scope="col">{t('reconciliation.day')}</th>
            <th scope="col">{t('payments.provider')}</th>
            <th className="text-end whitespace-nowrap" scope="col">
              {t('reconciliation.captured')}
            </th>
            <th className="text-end whitespace-nowrap" scope="col">
              {t('reconciliation.refunded')}
            </th>
            <th className="text-end whitespace-nowrap" scope="col">
              {t('reconciliation.net')}
            </th>
            <th className="text-end whitespace-nowrap max-wide:hidden" scope="col">
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
              className="max-wide:grid-cols-3"
              key={`${report.day} ${report.provider}`}
            >
              <td className="figures whitespace-nowrap max-wide:col-span-2">
                <Link
                  aria-current={report.day === day ? 'true' : undefined}
                  className="inline-flex min-h-8 items-center max-wide:min-h-11"
                  to={`/admin/reconciliation?day=${report.day}${place}#report`}
                >
                  {formatDateShort(report.day, language)}
                </Link>
              </td>
              <td className="max-wide:self-center max-wide:justify-self-end">
                {t(`provider.${report.provider}`, report.provider)}
              </td>
              <td className="figures text-end whitespace-nowrap max-wide:text-start">
                <EntryLabel>{t('reconciliation.captured')}</EntryLabel>
                {money(report.captured)}
              </td>
              <td className="figures text-end whitespace-nowrap max-wide:text-start">
                <EntryLabel>{t('reconciliation.refunded')}</EntryLabel>
                {money(report.refunded)}
              </td>
              <td className="figures text-end whitespace-nowrap">
                <EntryLabel>{t('reconciliation.net')}</EntryLabel>
                {money(report.net)}
                {report.fees ? (
                  <span className="block text-tiny text-ink-2">
                    {t('reconciliation.fees', { amount: formatMoney(report.fees, language) })}
                  </span>
                ) : null}
              </td>
              <td className="figures text-end whitespace-nowrap max-wide:hidden">
                {formatCount(report.attempts, 'en')}
              </td>
              <td className="max-wide:col-span-3">
                <Result report={report} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {before === null && older === null ? null : (
        <nav aria-label={t('pages.label')} className={PAGE_LINKS}>
          {before === null ? null : <Link to="/admin/reconciliation">{t('pages.newest')}</Link>}
          {older === null ? null : (
            <Link to={`/admin/reconciliation?before=${older}`}>{t('pages.older')}</Link>
          )}
        </nav>
      )}
    </>
  );
}

/** Unanswered questions and differences may both occur. */
function Result({ report }: { report: DayReport }) {
  const { t } = useTranslation('books');
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 @max-[53.25rem]/desk-main:justify-end">
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
