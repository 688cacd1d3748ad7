import { useTranslation } from 'react-i18next';
import { Panel } from '~/ui/card.tsx';
import { Notice } from '~/ui/notice.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { DownloadBox } from './download-box.tsx';
import { PayBox } from './pay-box.tsx';
import { Stages } from './stages.tsx';
import { StatusFacts } from './status-facts.tsx';
import { StatusText } from './status-text.tsx';
import type { StatusView } from './status-view.ts';

export type Situation =
  | 'pending'
  | 'processing'
  | 'approved'
  | 'rejected'
  | 'unpaid'
  | 'confirming'
  | 'updating';

/** What the card speaks about first. `updating` is the specification's default, for a status this page does not know. */
export function situationOf(view: StatusView): Situation {
  if (view.status === 'rejected' || view.status === 'approved') return view.status;
  if (view.confirming) return 'confirming';
  if (view.payable) return 'unpaid';
  return view.status === 'pending' || view.status === 'processing' ? view.status : 'updating';
}

const tones: Readonly<Record<StatusView['status'], StatusTone>> = {
  pending: 'amber',
  processing: 'blue',
  approved: 'green',
  rejected: 'red',
};

export function StatusCard({
  view,
  wantsDownload,
  notOpened,
}: {
  view: StatusView;
  /** The traveller pressed Download and is asked for the date of birth. */
  wantsDownload: boolean;
  notOpened: boolean;
}) {
  const { t } = useTranslation('application');
  const situation = situationOf(view);
  return (
    <div className="mt-10">
      <Panel
        side={
          <>
            <h3 className="heading-small">{t('progress.title')}</h3>
            <Stages stages={view.timeline} />
          </>
        }
      >
        <div className="flex flex-wrap gap-2">
          <StatusTag testId="status" tone={tones[view.status] ?? 'neutral'}>
            {t(`status.${view.status}`, { defaultValue: t('status.updating') })}
          </StatusTag>
          {situation === 'unpaid' || situation === 'confirming' ? (
            <StatusTag tone="neutral">{t(`status.${situation}`)}</StatusTag>
          ) : null}
        </div>
        <StatusText situation={situation} view={view} />
        {view.actionRequired ? (
          <Notice className="mt-5" tone="amber">
            {t('text.actionRequired')}
          </Notice>
        ) : null}
        {situation === 'unpaid' ? <PayBox view={view} /> : null}
        {view.document ? (
          <DownloadBox isAsked={wantsDownload} notOpened={notOpened} view={view} />
        ) : null}
        <StatusFacts view={view} />
      </Panel>
    </div>
  );
}
