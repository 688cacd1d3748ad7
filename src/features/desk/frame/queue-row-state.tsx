import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { classNames } from '~/ui/class-names.ts';
import { timeLeft, splitDuration, type Urgency, formatSpan } from './formats.ts';

const tones: Record<ApplicationStatus, StatusTone> = {
  pending: 'amber',
  processing: 'blue',
  approved: 'green',
  rejected: 'red',
};

export function ApplicationStatusTag({
  status,
  testId,
}: {
  status: ApplicationStatus;
  testId?: string;
}) {
  const { t } = useTranslation('desk');
  return (
    <StatusTag testId={testId} tone={tones[status]}>
      {t(`status.${status}`)}
    </StatusTag>
  );
}

/** "Put off until 30 Nov, 09:00, by E. Aydın". `untilReply`: unless its traveller answers before. */
export function PutOffText({
  until,
  untilReply,
  by,
}: {
  until: Date;
  untilReply: boolean;
  by: string;
}) {
  const { t, language } = useTranslation('desk');
  const moment = formatMoment(until, language, UTC, 'short');
  return t(untilReply ? 'putOff.untilReply' : 'putOff.untilMoment', { moment, name: by });
}

/** An empty ring for later, half full for soon, full for now: readable without colour. */
function DueRing({ urgency }: { urgency: Urgency }) {
  return (
    <svg
      aria-hidden="true"
      className="flex-none fill-none stroke-current stroke-[1.4] [&>path]:fill-current [&>path]:stroke-none"
      height="12"
      viewBox="0 0 12 12"
      width="12"
    >
      <circle cx="6" cy="6" r="5" />
      {urgency === 'soon' ? <path d="M6 1a5 5 0 0 0 0 10z" /> : null}
      {urgency === 'now' ? <path d="M6 1a5 5 0 0 0 0 10a5 5 0 0 0 0-10z" /> : null}
    </svg>
  );
}

const DUE = 'inline-flex items-center gap-1.5 whitespace-nowrap';

const urgencies: Record<Exclude<Urgency, 'none'>, string> = {
  later: 'text-ink-2',
  soon: 'font-semibold text-amber',
  now: 'font-semibold text-error',
  late: 'rounded-tag bg-red px-[7px] py-px font-semibold text-paper',
};

/** The time left until the promised moment; in words for screen readers. */
export function DueMarker({
  promisedAt,
  pausedAt,
  decidedAt,
  paid,
  now,
  inWords = false,
}: {
  promisedAt: Date | null;
  /** When the pause for the traveller began. */
  pausedAt: Date | null;
  decidedAt: Date | null;
  paid: boolean;
  now: number;
  /** "0:38 left" instead of "0:38". */
  inWords?: boolean;
}) {
  const { t, language } = useTranslation('desk');
  if (pausedAt && !decidedAt) return <span className={`${DUE} text-ink-2`}>{t('due.paused')}</span>;
  const { urgency, minutes } = timeLeft({ promisedAt, decidedAt }, now);
  if (urgency === 'none') {
    if (!paid && !decidedAt)
      return <span className={`${DUE} text-ink-2`}>{t('detail.unpaid')}</span>;
    return (
      <span className={`${DUE} text-ink-2`}>
        <span aria-hidden="true">—</span>
        <span className="sr-only">{t('due.none')}</span>
      </span>
    );
  }
  const span = splitDuration(minutes);
  const text = span.unit === 'clock' ? span.clock : t(`due.${span.unit}`, span);
  const dueText = urgency === 'late' ? t('due.late', { span: text }) : text;
  const inWordsText = t(urgency === 'late' ? 'due.late' : 'due.left', {
    span: formatSpan(minutes * 60, language),
  });
  return (
    <span
      className={classNames(DUE, urgencies[urgency], urgency === 'late' && !inWords && '-ms-[7px]')}
    >
      {urgency === 'late' ? null : <DueRing urgency={urgency} />}
      <span aria-hidden="true">
        {inWords && urgency !== 'late' ? t('due.left', { span: text }) : dueText}
      </span>
      <span className="sr-only">{inWordsText}</span>
    </span>
  );
}
