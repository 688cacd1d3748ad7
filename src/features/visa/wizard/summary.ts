import { parseDate, type PlainDate } from '~/base/dates.ts';
import type { Money } from '~/base/money.ts';
import { pathOf, type Answers, type CountryTerms } from '../answers.ts';
import { quote, totalRange, type PriceList, type QuoteLine } from '../price-list.ts';
import { isSoldOn, type Path, type ProcessingType } from '../speeds.ts';
import { readyBy } from '../ready-by.ts';

/** The application so far, as tag and order summary show it. */
export type Summary = {
  path: Path | null;
  /** Null until one is chosen that the nationality's path sells. */
  processingType: ProcessingType | null;
  lines: readonly QuoteLine[];
  total: Money;
  /** The total is the lowest possible, because no speed is chosen yet. */
  isFrom: boolean;
  /** If paid now. */
  readyBy: Date | null;
  arrival: PlainDate | null;
};

/** `prices`: those of `now`. */
export function summaryOf(
  answers: Answers,
  country: CountryTerms | null,
  { prices, now }: { prices: PriceList; now: Date },
): Summary {
  const path = pathOf(country);
  const arrival = parseDate(answers.arrivalDate ?? '');
  const wanted = answers.processingType ?? '';
  if (!path || !isSoldOn(path, wanted)) {
    const total = totalRange(prices, path ?? undefined).lowest;
    return { path, processingType: null, lines: [], total, isFrom: true, readyBy: null, arrival };
  }
  const { lines, total } = quote(prices, path, wanted);
  return {
    path,
    processingType: wanted,
    lines,
    total,
    isFrom: false,
    readyBy: readyBy(path, wanted, now),
    arrival,
  };
}
