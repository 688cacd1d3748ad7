import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { zoneCountries } from './differences.ts';
import { keepReading } from './kept-reading.ts';
import type { PhotoReading } from './read-in-browser.ts';
import { PhotoNotice, usePassportPhoto } from './use-passport-photo.tsx';
import { writeZone } from './zone.ts';

/**
 * Takes a photo of the passport, selects the nationality from it, and keeps the rest of what was read in this tab for the
 * details page. `traveller`: the position in a party.
 */
export function NationalityPhoto({
  now,
  traveller,
  countries,
}: {
  now: Date;
  traveller: number;
  countries: readonly { id: string; name: string }[];
}) {
  const { t } = useTranslation('visa');
  const [reading, setReading] = useState<PhotoReading | null>(null);
  const [country, setCountry] = useState('');
  const photo = usePassportPhoto({ now, typeAt: 'countryId', onRead });
  const take = useEffectEvent(() => void photo.take());
  useEffect(() => take(), []);

  function onRead(read: PhotoReading) {
    setReading(read);
    if (!read.ok) return;
    keepReading(writeZone(read.zone), traveller);
    const codes = zoneCountries(read.zone);
    const [only, ...others] = countries.filter(({ id }) => codes.includes(id));
    const chosen = others.length === 0 ? only : undefined;
    setCountry(chosen?.name ?? '');
    const control = document.getElementById('countryId');
    if (!chosen || !(control instanceof HTMLSelectElement)) return;
    control.value = chosen.id;
    // Forms listen to the select; a value set by script fires no events.
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }

  return (
    <>
      <div className="empty:absolute" role="status">
        {photo.isReading ? <p className="text-small text-ink-2">{t('reader.reading')}</p> : null}
        {reading?.ok && !photo.isReading ? (
          <Notice
            title={country ? t('nationality.read', { country }) : t('nationality.readAlone')}
            tone="green"
          >
            <p>{t('nationality.kept')}</p>
          </Notice>
        ) : null}
      </div>
      {reading && !reading.ok ? (
        <Suspense>
          <PhotoNotice problem={reading} />
        </Suspense>
      ) : null}
      {photo.controls}
    </>
  );
}
