import { useTranslation } from '~/ui/texts/texts.tsx';
import { Plate, type PlateName } from '~/ui/art.tsx';

const places: readonly PlateName[] = [
  'cappadocia',
  'celsus',
  'pamukkale',
  'nemrut',
  'selimiye',
  'iznik',
];

/** Six illustrations with a sentence each. */
export function Heritage() {
  const { t } = useTranslation('site');
  return (
    <section className="content py-(--section)">
      <h2>{t('home.heritage.title')}</h2>
      <p className="lead mt-2.75">{t('home.heritage.lead')}</p>
      <ul className="mt-7 grid gap-5.5 wide:mt-11 wide:grid-cols-3 wide:gap-x-7 wide:gap-y-13">
        {places.map((place) => (
          <li
            className="grid grid-cols-[132px_minmax(0,1fr)] items-start gap-4.5 wide:block"
            key={place}
          >
            <Plate name={place} />
            <div className="wide:mt-4.25 wide:grid wide:grid-cols-[minmax(0,1fr)_auto] wide:items-baseline wide:gap-x-3 wide:gap-y-1">
              <h3>{t(`home.heritage.${place}.name`)}</h3>
              <p className="mt-0.5 text-caption text-brass-text">
                {t(`home.heritage.${place}.century`)}
              </p>
              <p className="mt-1 text-small text-ink-2 wide:col-span-full wide:text-item">
                {t(`home.heritage.${place}.text`)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
