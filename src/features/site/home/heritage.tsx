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

/** Six drawn plates with a sentence each. */
export function Heritage() {
  const { t } = useTranslation('site');
  return (
    <section className="content home-section">
      <h2>{t('home.heritage.title')}</h2>
      <p className="lead mt-2.75">{t('home.heritage.lead')}</p>
      <ul className="plates">
        {places.map((place) => (
          <li key={place}>
            <Plate name={place} />
            <div className="plate-words">
              <h3>{t(`home.heritage.${place}.name`)}</h3>
              <p className="plate-century">{t(`home.heritage.${place}.century`)}</p>
              <p className="plate-text">{t(`home.heritage.${place}.text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
