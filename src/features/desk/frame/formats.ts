import { languageNames, listFormat, numberFormat } from '~/base/intl.ts';
import { intlLocale, isLanguage, type Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { isSpeedSold, findSpeed } from '~/features/visa/rules/speeds.ts';

/** A share, to a tenth of a percent: "97.5%". Null where the whole is zero. */
export function formatShare(part: number, whole: number, language: Language): string | null {
  if (whole === 0) return null;
  const format = numberFormat(intlLocale(language), {
    style: 'percent',
    maximumFractionDigits: 1,
  });
  return format.format(part / whole);
}

/** "1,284". */
export const formatCount = (count: number, language: Language): string =>
  numberFormat(intlLocale(language)).format(count);

/** Hours of a duration in milliseconds, to a tenth, without the unit. */
export const formatHours = (milliseconds: number, language: Language): string =>
  numberFormat(intlLocale(language), { maximumFractionDigits: 1 }).format(milliseconds / 3_600_000);

const unitSeconds = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * A duration in words, by its two largest units: "1 hour, 56 minutes". For screen readers, which read "1:56" as a time of
 * day. `seconds`: whole, not negative.
 */
export function formatSpan(seconds: number, language: Language): string {
  const locale = intlLocale(language);
  // Of all units, so that the next minute needs none that the last one did not.
  const formatOf = (unit: (typeof unitSeconds)[number][0]) =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  const units = unitSeconds.map(([unit, length]) => ({ length, format: formatOf(unit) }));
  const parts: string[] = [];
  let left = seconds;
  for (const { length, format } of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(format.format(count));
  }
  if (parts.length === 0) return formatOf('minute').format(0);
  return listFormat(locale, { type: 'unit', style: 'long' }).format(parts.slice(0, 2));
}

/**
 * The name of a language in the reader's: "Arabic", not "العربية", which an English voice cannot read. `code`: two letters;
 * answered as it is where it is none of the site's.
 */
export const formatLanguage = (code: string, reader: Language): string =>
  (isLanguage(code) ? languageNames(intlLocale(reader)).of(code) : undefined) ?? code;

/** How near a promised moment is. `none`: nothing is promised. */
export type Urgency = 'none' | 'later' | 'soon' | 'now' | 'late';

type TimeLeft = {
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
export function timeLeft(
  { promisedAt, decidedAt }: { promisedAt: Date | null; decidedAt: Date | null },
  now: number,
): TimeLeft {
  if (!promisedAt || decidedAt) return { urgency: 'none', minutes: 0 };
  const left = (promisedAt.getTime() - now) / MINUTE_MS;
  if (left < 0) return { urgency: 'late', minutes: Math.floor(-left) };
  const minutes = Math.floor(left);
  if (left < NOW_MINUTES) return { urgency: 'now', minutes };
  return { urgency: left < SOON_MINUTES ? 'soon' : 'later', minutes };
}

/** A duration as the desk writes it: hours and minutes up to a day, days and hours up to four days, then days. */
type DurationParts =
  | { unit: 'clock'; clock: string }
  | { unit: 'days_hours'; days: number; hours: number }
  | { unit: 'days'; days: number };

const DAY_MINUTES = 24 * 60;
const DAYS_WITH_HOURS = 4;

export function splitDuration(minutes: number): DurationParts {
  const days = Math.floor(minutes / DAY_MINUTES);
  const hours = Math.floor((minutes % DAY_MINUTES) / 60);
  if (days === 0)
    return { unit: 'clock', clock: `${hours}:${String(minutes % 60).padStart(2, '0')}` };
  return days < DAYS_WITH_HOURS ? { unit: 'days_hours', days, hours } : { unit: 'days', days };
}

/**
 * The name of a visa's speed or an insurance plan. A speed that both paths sell is another time with a supporting document,
 * and says so.
 */
export function serviceName(
  t: Translate<'desk'>,
  { service, withDocument }: { service: ServiceCode; withDocument: boolean },
): string {
  const name = t(`application:service.${service}.name`);
  const isOnBoth =
    isSpeedSold('with_document', service) && isSpeedSold('without_document', service);
  return withDocument && isOnBoth
    ? t('speedInDays', { speed: name, figure: findSpeed('with_document', service).working.max })
    : name;
}
