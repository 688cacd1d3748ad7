import { useTranslation } from '~/ui/texts/texts.tsx';
import { DeskSection } from '../frame/desk-section.tsx';
import { SOON_HOURS } from '../frame/due.ts';

/** Explains the four cards of the desk, counted in `statistics.server.ts`. */
export function CardDefinitions() {
  const { t } = useTranslation('statistics');
  return (
    <DeskSection id="cards" title={t('cards.title')}>
      <dl className="grid grid-cols-1 gap-x-10 gap-y-3 wide:grid-cols-2">
        {(
          [
            'totalApplications',
            'totalInsuranceApplications',
            'totalRevenue',
            'pendingApplications',
          ] as const
        ).map((card) => (
          <div key={card}>
            <dt className="font-semibold">{t(`desk:figures.${card}`)}</dt>
            <dd className="max-w-[620px] text-pretty text-ink-2">
              {t(`cards.${card}`, { hours: SOON_HOURS })}
            </dd>
          </div>
        ))}
      </dl>
    </DeskSection>
  );
}
