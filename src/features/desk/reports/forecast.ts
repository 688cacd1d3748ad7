import type { Office } from '~/base/dates/office.ts';
import { addWorkingHours, workingHoursBetween } from '~/base/dates/working-hours.ts';

/** Working hours ahead that the forecast looks at. */
export const horizons = [8, 24] as const;

/** Calendar days back over which the pace is measured: each weekday once. */
export const PACE_DAYS = 7;
const DAY_MS = 24 * 3_600_000;

/** Where the forecast's hours end, and where those of the pace begin; by the working hours that promises count. */
export function forecastSpan(now: Date, office: Office) {
  const paceFrom = new Date(now.getTime() - PACE_DAYS * DAY_MS);
  const [first, second] = horizons;
  return {
    ends: [addWorkingHours(now, first, office), addWorkingHours(now, second, office)] as const,
    paceFrom,
    workedHours: workingHoursBetween(paceFrom, now, office),
  };
}

export type Pace = {
  /** Decisions of staff since `paceFrom`. */
  decided: number;
  /** Working hours in that time. */
  workedHours: number;
};

/** Decisions in an hour of work; null where none was worked. */
export const hourlyPace = ({ decided, workedHours }: Pace): number | null =>
  workedHours > 0 ? decided / workedHours : null;

/** Whole decisions in so many working hours at that pace; null where no pace is known. */
export function decidedAtPace(pace: Pace, hours: number): number | null {
  const hourly = hourlyPace(pace);
  return hourly === null ? null : Math.floor(hourly * hours);
}
