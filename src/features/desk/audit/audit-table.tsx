import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import type { AuditEntry } from '~/features/staff/audit-store.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Entries, newest first, with actions and subjects in words; the CSV file has the codes. */
export function AuditTable({
  rows,
  names,
}: {
  rows: readonly AuditEntry[];
  /** Account id → name. */
  names: ReadonlyMap<string, string>;
}) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  return (
    <table className="desk-table row-entries">
      <caption className="sr-only">{t('audit.caption')}</caption>
      <thead className="max-wide:sr-only">
        <tr>
          <th scope="col">{t('audit.moment')}</th>
          <th scope="col">{t('audit.who')}</th>
          <th scope="col">{t('audit.action')}</th>
          <th scope="col">{t('audit.subject')}</th>
          <th scope="col">{t('audit.detail')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((entry) => (
          <tr className="max-wide:grid-cols-1" data-testid="audit-row" key={entry.id}>
            <td className="figures whitespace-nowrap">
              {formatMoment(entry.at, language, UTC, 'dated')}
            </td>
            <td>
              {entry.staffId === null ? (
                <span className="text-ink-2">{t('audit.service')}</span>
              ) : (
                <bdi>{names.get(entry.staffId) ?? entry.staffId}</bdi>
              )}
            </td>
            <td className="font-semibold">{t(`audit.done.${entry.action}`, entry.action)}</td>
            <td className="wrap-anywhere">
              {t(`audit.about.${entry.subjectKind}`, entry.subjectKind)}{' '}
              <bdi className="mono text-fine/5" dir="ltr">
                {entry.subjectId}
              </bdi>
            </td>
            <td className="wrap-anywhere">
              <bdi className="mono text-fine/5" dir="ltr">
                {Object.entries(entry.detail)
                  .map(([key, value]) => `${key}: ${String(value)}`)
                  .join(', ')}
              </bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
