import { useTranslation } from '~/ui/texts/texts.tsx';
import type { ClosedDays } from '~/base/dates/working-hours.ts';
import { Notice } from '~/ui/notice.tsx';
import { writeClosedDays } from './skipped-days.ts';

/** Closed weekdays, with the reasons. */
export function ClosedDaysList({ days }: { days: readonly ClosedDays[] }) {
  const { t, language } = useTranslation('application');
  return (
    <ul className="list-disc ps-5">
      {days.map((one) => (
        <li key={one.first}>{writeClosedDays(one, t, language)}</li>
      ))}
    </ul>
  );
}

/** Says which closed days a promise skips. Renders nothing where there are none. */
export function SkippedDays({
  days,
  className,
}: {
  days: readonly ClosedDays[];
  className?: string;
}) {
  const { t } = useTranslation('application');
  if (days.length === 0) return null;
  return (
    <Notice className={className} tone="blue">
      <p>{t('closedDays.skipped')}</p>
      <ClosedDaysList days={days} />
    </Notice>
  );
}
