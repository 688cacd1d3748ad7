import { languageNames, listFormat, numberFormat } from '~/base/intl.ts';
import { factsOf, intlLocaleOf, isLanguage, type Language } from '~/base/languages.ts';

/** A share, to a tenth of a percent: "97.5%". Null where the whole is zero. */
export function formatShare(part: number, whole: number, language: Language): string | null {
  if (whole === 0) return null;
  const format = numberFormat(intlLocaleOf(language), {
    style: 'percent',
    maximumFractionDigits: 1,
  });
  return format.format(part / whole);
}

/** "1,284". */
export const formatCount = (count: number, language: Language): string =>
  numberFormat(intlLocaleOf(language)).format(count);

/** Whole dollars on an axis, short: "$1.2K". */
export const formatDollars = (dollars: number, language: Language): string =>
  numberFormat(factsOf(language).intlOfMoney, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  }).format(dollars);

/** Hours of a duration in milliseconds, to a tenth, without the unit. */
export const formatHours = (milliseconds: number, language: Language): string =>
  numberFormat(intlLocaleOf(language), { maximumFractionDigits: 1 }).format(
    milliseconds / 3_600_000,
  );

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
  const locale = intlLocaleOf(language);
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
  (isLanguage(code) ? languageNames(intlLocaleOf(reader)).of(code) : undefined) ?? code;
