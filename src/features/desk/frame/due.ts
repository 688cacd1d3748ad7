/** How near a promised moment is. `none`: nothing is promised. */
export type Urgency = 'none' | 'later' | 'soon' | 'now' | 'late';

export type Due = {
  urgency: Urgency;
  /** Whole minutes until the moment, or since it where late; never negative. */
  minutes: number;
};

const MINUTE_MS = 60_000;
const SOON_MINUTES = 4 * 60;
const NOW_MINUTES = 60;

/** Hours before the promised moment from which an application counts as due soon in the figures above the queue. */
export const SOON_HOURS = 2;

/** How an open application compares with its promised moment. Moments in milliseconds since 1970. */
export function dueOf(
  { promisedAt, decidedAt }: { promisedAt: Date | null; decidedAt: Date | null },
  now: number,
): Due {
  if (!promisedAt || decidedAt) return { urgency: 'none', minutes: 0 };
  const left = (promisedAt.getTime() - now) / MINUTE_MS;
  if (left < 0) return { urgency: 'late', minutes: Math.floor(-left) };
  const minutes = Math.floor(left);
  if (left < NOW_MINUTES) return { urgency: 'now', minutes };
  return { urgency: left < SOON_MINUTES ? 'soon' : 'later', minutes };
}

/** A duration as the desk writes it: hours and minutes up to a day, days and hours up to four days, then days. */
export type Span =
  | { unit: 'clock'; clock: string }
  | { unit: 'days_hours'; days: number; hours: number }
  | { unit: 'days'; days: number };

const DAY_MINUTES = 24 * 60;
const DAYS_WITH_HOURS = 4;

export function spanOf(minutes: number): Span {
  const days = Math.floor(minutes / DAY_MINUTES);
  const hours = Math.floor((minutes % DAY_MINUTES) / 60);
  if (days === 0)
    return { unit: 'clock', clock: `${hours}:${String(minutes % 60).padStart(2, '0')}` };
  return days < DAYS_WITH_HOURS ? { unit: 'days_hours', days, hours } : { unit: 'days', days };
}
