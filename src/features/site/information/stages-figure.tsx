import { useTranslation } from '~/ui/texts/texts.tsx';

/** The stages of the status page, in its own words. */
const stages = ['submitted', 'review', 'processing', 'approved'] as const;

export function TrackingStages() {
  const { t } = useTranslation(['information', 'application']);
  return (
    <ol className="tracking-stages">
      {stages.map((stage) => (
        <li key={stage}>
          <strong>{t(`application:progress.${stage}`)}</strong>
          <span>{t(`stages.${stage}`)}</span>
        </li>
      ))}
    </ol>
  );
}
