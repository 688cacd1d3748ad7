import type { Translate } from '~/base/read-text.ts';
import type { Office } from '~/base/dates/office.ts';
import { usualTime, type Speed } from '../rules/speeds.ts';

/** Isolated left to right, so that a range keeps its order inside Arabic. */
const range = (min: number, max: number): string =>
  min === max ? String(max) : `\u2066${min}–${max}\u2069`;

/** A speed's time: "24–48 working hours". Where the name says the hours: "on working days". */
export function workingTime(t: Translate<'visa'>, { working: { min, max, unit } }: Speed): string {
  if (unit === 'hours') return t('speed.onWorkingDays');
  const units = { working_hours: 'workingHours', working_days: 'workingDays' } as const;
  return t(`speed.${units[unit]}`, { count: max, range: range(min, max) });
}

/** A speed's time, and what that usually is at the office's hours: "24–48 working hours, usually 5–7 days". */
export function speedTime(t: Translate<'visa'>, speed: Speed, office: Office): string {
  const typical = usualTime(speed, office);
  const worked = workingTime(t, speed);
  if (!typical) return worked;
  const usual =
    typical.min === undefined
      ? t('speed.usuallyWithin', { count: typical.max })
      : t('speed.usuallyDays', { count: typical.max, range: range(typical.min, typical.max) });
  return t('speed.both', { worked, usual });
}
