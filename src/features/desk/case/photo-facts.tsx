import { useTranslation } from '~/ui/texts/texts.tsx';
import { ADULT_YEARS } from '~/base/dates/dates.ts';
import type { Detail } from '../records/detail.server.ts';

/** Links to the photos of a parent's ID, for a traveller under 18; opening one is recorded. */
export function PhotoFacts({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const { insurance } = application;
  if (!insurance?.isMinor) return null;
  const { photos } = insurance;
  return (
    <section className="desk-facts">
      <h3>{t('photos.title')}</h3>
      <p className="text-ink-2">{t('photos.lead', { age: ADULT_YEARS })}</p>
      {photos.length === 0 ? <p>{t('photos.none')}</p> : null}
      <ul className="desk-history">
        {photos.map(({ id, name, size }, index) => (
          <li key={id}>
            <p>
              <bdi>{name}</bdi>, <bdi dir="ltr">{`${Math.max(1, Math.round(size / 1024))} KB`}</bdi>
            </p>
            <p>
              <a href={`/admin/photos/${id}`} rel="noopener" target="_blank">
                {t('photos.open', { number: index + 1 })}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
