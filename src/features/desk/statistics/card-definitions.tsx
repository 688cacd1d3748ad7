import { useTranslation } from '~/ui/texts/texts.tsx';
import { DeskSection } from '../frame/desk-section.tsx';
import { SOON_HOURS } from '../frame/soon.ts';

/** What the four cards of the desk count; `statistics.server.ts` counts it. */
export function CardDefinitions() {
  const { t } = useTranslation('statistics');
  return (
    <DeskSection className="statistics-cards" id="cards" title={t('cards.title')}>
      <dl>
        {(
          [
            'totalApplications',
            'totalInsuranceApplications',
            'totalRevenue',
            'pendingApplications',
          ] as const
        ).map((card) => (
          <div key={card}>
            <dt>{t(`desk:figures.${card}`)}</dt>
            <dd>{t(`cards.${card}`, { hours: SOON_HOURS })}</dd>
          </div>
        ))}
      </dl>
    </DeskSection>
  );
}
