import { formatDate } from '~/base/dates/dates.ts';
import { isolated } from '~/base/isolated.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { zoneFields, type ZoneField } from './fill.ts';
import type { Zone } from './zone.ts';

/** A value of the lines as a page shows it: dates in the reader's words, letters and numbers left to right. */
export function useZoneValue(): (zone: Zone, field: ZoneField) => string {
  const language = useLanguage();
  return (zone, field) => {
    if (field !== 'dateOfBirth' && field !== 'passportExpiryDate') return isolated(zone[field]);
    const day = zone[field];
    return day ? formatDate(day, language) : '';
  };
}

/** What was read from the passport, to be compared with it. */
export function ZoneSummary({ zone }: { zone: Zone }) {
  const { t } = useTranslation('visa');
  const valueOf = useZoneValue();
  const read = zoneFields.filter((field) => zone[field] !== '');
  const notes = [
    t('reader.checked'),
    zone.lastName === '' ? t('reader.noNames') : t('reader.compareNames'),
    zone.lastName !== '' && zone.firstName === '' && t('reader.oneName'),
    zone.areNamesCut && t('reader.cut'),
    zone.passportNumber === '' && t('reader.noNumber'),
  ].filter((note) => note !== false);
  return (
    <Notice title={t('reader.title')} tone="green">
      <ul>
        {read.map((field) => (
          <li key={field}>
            {t('reader.value', { label: t(`labels.${field}`), value: valueOf(zone, field) })}
          </li>
        ))}
      </ul>
      <p className="mt-2">{notes.join(' ')}</p>
    </Notice>
  );
}
