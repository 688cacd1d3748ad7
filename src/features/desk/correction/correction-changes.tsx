import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDateShort, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import type { Detail } from '../records/detail.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** What a traveller corrected, before and after; numbers are masked. */
export function CorrectionChanges({
  kind,
  correction: { answeredAt, changes },
}: {
  kind: Detail['kind'];
  correction: Detail['corrections'][number];
}) {
  const { t } = useTranslation(['decision', 'visa', 'insurance', 'desk']);
  const language = useLanguage();
  if (!answeredAt) return null;
  const shown = (value: string) => {
    if (value === '') return '–';
    if (value === 'unlimited') return t('desk:detail.unlimited');
    const day = parseDate(value);
    return day ? formatDateShort(day, language) : value;
  };
  return (
    <section className="desk-facts">
      <h3>
        {t('correction.changed', { moment: formatMoment(answeredAt, language, UTC, 'dated') })}
      </h3>
      {changes.length === 0 ? <p className="text-ink-2">{t('correction.nothing')}</p> : null}
      <dl>
        {changes.map(({ field, before, after }) => (
          <div key={field}>
            <dt>{t(`${kind}:labels.${field}`, field)}</dt>
            <dd>
              <del className="text-ink-2 line-through">
                <span className="sr-only">{t('correction.before')} </span>
                <bdi>{shown(before)}</bdi>
              </del>
              <ins className="block font-semibold no-underline">
                <span className="sr-only">{t('correction.after')} </span>
                <bdi>{shown(after)}</bdi>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
