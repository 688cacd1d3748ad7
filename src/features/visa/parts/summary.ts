import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import { pricePath, type VisaAnswers, type CountryTerms } from '../rules/answers.ts';
import { quoteVisa, totalRange, type PriceList, type QuoteLine } from '../rules/price-list.ts';
import { isSpeedSold, type PricePath, type ProcessingType } from '../rules/speeds.ts';

/** The application so far, for the tag and the order summary. */
type Summary = {
  path: PricePath | null;
  /** None until a speed is chosen that the nationality's path sells. */
  lines: readonly QuoteLine[];
  total: Money;
  /** The total is the lowest one, because no speed is chosen yet. */
  isFrom: boolean;
  arrival: PlainDate | null;
};

/** The cheapest speed of each path that is in time for the arrival; null where none is. */
export type SpeedsInTime = Readonly<Partial<Record<PricePath, ProcessingType | null>>>;

/** Until a speed is chosen the total is that of the cheapest `inTime`, which the form will choose. */
export function priceSummary(
  answers: VisaAnswers,
  country: CountryTerms | null,
  prices: PriceList,
  inTime: SpeedsInTime = {},
): Summary {
  const path = pricePath(country, answers);
  const arrival = parseDate(answers.arrivalDate ?? '');
  const wanted = answers.processingType ?? '';
  if (!path || !isSpeedSold(path, wanted)) {
    const cheapest = path && inTime[path];
    const total = cheapest
      ? quoteVisa(prices, path, cheapest).total
      : totalRange(prices, path ?? undefined).lowest;
    return { path, lines: [], total, isFrom: true, arrival };
  }
  const { lines, total } = quoteVisa(prices, path, wanted);
  return { path, lines, total, isFrom: false, arrival };
}
