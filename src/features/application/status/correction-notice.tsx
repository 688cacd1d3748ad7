import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { StatusView } from './status-view.ts';

/** What the traveller is asked to correct, where, and until when. The note of staff is in the email alone. */
export function CorrectionNotice({
  correction: { fields, until },
  kind,
}: {
  correction: NonNullable<StatusView['correction']>;
  kind: StatusView['kind'];
}) {
  const { t } = useTranslation(['application', 'correction', 'visa', 'insurance']);
  const date = formatDate(dateOf(until, UTC), useLanguage());
  return (
    <Notice className="mt-5" title={t('correction:asked')} tone="amber">
      <ul className="my-2 list-disc ps-5">
        {fields.map((field) => (
          <li key={field}>{t(`${kind}:labels.${field}`, field)}</li>
        ))}
      </ul>
      <p>{t('text.actionRequired')}</p>
      <p className="mt-2 font-semibold">{t('correction:until', { date })}</p>
    </Notice>
  );
}
