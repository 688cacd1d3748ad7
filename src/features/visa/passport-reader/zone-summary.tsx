import { formatDate } from '~/base/dates/dates.ts';
import { isolated } from '~/base/isolated.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { zoneFields, type ZoneField, type Zone } from './zone.ts';

/** A value of the lines as a page shows it: dates in the reader's words, letters and numbers left to right. */
export function useZoneValue(): (zone: Zone, field: ZoneField) => string {
  const { language } = useTranslation();
  return (zone, field) => {
    if (field !== 'dateOfBirth' && field !== 'passportExpiryDate') return isolated(zone[field]);
    const day = zone[field];
    return day ? formatDate(day, language) : '';
  };
}

/** The lines as the photo shows them, to be compared with what was read. */
export function CutOut({ address }: { address: string | null }) {
  const { t } = useTranslation('visa');
  if (!address) return null;
  return <img alt={t('reader.photo.cutOut')} className="mt-3 w-full rounded" src={address} />;
}

/** What was read from the passport, to be compared with it. `cutOut`: see `ReadInBrowser`. */
export function ZoneSummary({ zone, cutOut }: { zone: Zone; cutOut: string | null }) {
  const { t } = useTranslation('visa');
  const valueOf = useZoneValue();
  const read = zoneFields.filter((field) => zone[field] !== '');
  const isChecked =
    zone.passportNumber !== '' && zone.dateOfBirth !== '' && zone.passportExpiryDate !== '';
  const notes = [
    isChecked && t('reader.checked'),
    zone.lastName === '' ? t('reader.noNames') : t('reader.compareNames'),
    zone.lastName !== '' && zone.firstName === '' && t('reader.oneName'),
    zone.areNamesCut && t('reader.cut'),
    zone.passportNumber === '' && t('reader.noNumber'),
    zone.dateOfBirth === '' && t('reader.noDateOfBirth'),
    zone.passportExpiryDate === '' && t('reader.noExpiryDate'),
  ].filter((note) => note !== false);
  return (
    <Notice title={t('reader.title')} tone="green">
      <CutOut address={cutOut} />
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
