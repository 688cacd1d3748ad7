import { useTranslation } from '~/ui/texts/texts.tsx';

/** The stages, with the texts of the status page. */
const stages = ['submitted', 'review', 'processing', 'approved'] as const;

export function TrackingStages() {
  const { t } = useTranslation(['information', 'application']);
  return (
    <ol className="tracking-stages list-none gap-0 p-0">
      {stages.map((stage) => (
        <li className="relative pb-5 ps-10" key={stage}>
          <strong>{t(`application:progress.${stage}`)}</strong>
          <span className="block text-ink-2">{t(`stages.${stage}`)}</span>
        </li>
      ))}
    </ol>
  );
}
