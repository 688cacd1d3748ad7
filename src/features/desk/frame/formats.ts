import { numberFormat } from '~/base/intl.ts';
import { factsOf, intlLocaleOf, type Language } from '~/base/languages.ts';

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
