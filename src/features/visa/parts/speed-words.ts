import type { Translate } from '~/base/read-text.ts';
import type { Speed } from '../rules/speeds.ts';

/** Isolated left to right, so that a range keeps its order inside Arabic. */
const range = (min: number, max: number): string =>
  min === max ? String(max) : `\u2066${min}–${max}\u2069`;

/** A speed's time, and what that usually is: "24–48 working hours, usually 5–7 days". */
export function speedTime(t: Translate<'visa'>, { working, typical }: Speed): string {
  const { min, max, unit } = working;
  const units = {
    working_hours: 'workingHours',
    working_days: 'workingDays',
    hours: 'hours',
  } as const;
  const worked = t(`speed.${units[unit]}`, { count: max, range: range(min, max) });
  if (!typical) return worked;
  const usual =
    typical.min === undefined
      ? t('speed.usuallyWithin', { count: typical.max })
      : t('speed.usuallyDays', { count: typical.max, range: range(typical.min, typical.max) });
  return t('speed.both', { worked, usual });
}
