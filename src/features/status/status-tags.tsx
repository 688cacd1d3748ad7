import { useTranslation } from '~/ui/texts/texts.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { isWithdrawn, shownStatusOf } from './shown-status.ts';
import type { StatusView } from './status-view.ts';

const tones: Readonly<Record<StatusView['status'], StatusTone>> = {
  pending: 'amber',
  processing: 'blue',
  approved: 'green',
  rejected: 'red',
};

/** Tags: the status of an application, and whether an answer or the payment is missing. `testId`: of the status. */
export function StatusTags({ view, testId }: { view: StatusView; testId?: string }) {
  const { t } = useTranslation(['application', 'correction']);
  const shownStatus = shownStatusOf(view);
  return (
    <>
      {isWithdrawn(view) ? (
        <StatusTag testId={testId} tone="neutral">
          {t('status.cancelled')}
        </StatusTag>
      ) : (
        <StatusTag testId={testId} tone={tones[view.status] ?? 'neutral'}>
          {t(`status.${view.status}`, { defaultValue: t('status.updating') })}
        </StatusTag>
      )}
      {view.actionRequired ? (
        <StatusTag testId={testId && 'action-required'} tone="amber">
          {t('correction:required')}
        </StatusTag>
      ) : null}
      {shownStatus === 'unpaid' || shownStatus === 'confirming' ? (
        <StatusTag tone="neutral">{t(`status.${shownStatus}`)}</StatusTag>
      ) : null}
    </>
  );
}
