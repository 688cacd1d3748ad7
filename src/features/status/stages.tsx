import { useTranslation } from '~/ui/texts/texts.tsx';
import { useDeadlines, useMoments } from '~/ui/moment.tsx';
import { Timeline } from '~/ui/timeline.tsx';
import type { Stage } from './timeline.ts';

/** The past and coming events of an application. `explain`: say what the current stage means instead of since when. */
export function Stages({
  stages,
  kind,
  explain,
}: {
  stages: readonly Stage[];
  kind: 'visa' | 'insurance';
  explain?: boolean;
}) {
  const { t } = useTranslation('application');
  const moment = useMoments();
  const deadline = useDeadlines();
  const suffix = kind === 'insurance' ? 'Insurance' : '';

  function detail({ name, state, at, by }: Stage): string {
    if (state === 'now' && name === 'review' && explain) return t(`progress.reviewMeans${suffix}`);
    if (state === 'now' && name === 'certificate') return t('progress.certificateMeans');
    if (state === 'now' && at) return t('progress.since', { moment: moment(at, 'short') });
    if (at) return moment(at, 'short');
    if (by && kind === 'visa') return t('progress.by', { promise: deadline(by, 'short') });
    if (by) return t('progress.byInsurance', { moment: deadline(by, 'short') });
    if (name === 'review') return t('progress.reviewWaits');
    if (name === 'certificate') return t('progress.certificateWaits');
    if (name === 'processing') return t('progress.processingMeans');
    return t(`progress.approvedMeans${suffix}`);
  }

  return (
    <Timeline
      events={stages.map((stage) => ({
        title: t(`progress.${stage.name}`),
        detail: detail(stage),
        state: stage.state,
      }))}
    />
  );
}
