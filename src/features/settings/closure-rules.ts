import type { Closure } from '~/base/dates/closures.ts';
import { addMonths, daysInclusive, type PlainDate } from '~/base/dates/dates.ts';

/** Most days of one closure; a longer one is taken for a typing mistake. */
export const MOST_CLOSED_DAYS = 31;
/** Years ahead in which the last day must lie. */
export const CLOSURE_YEARS_AHEAD = 2;

/** Why a closure is not accepted; texts are `settings:error.<code>`. */
export type ClosureProblem =
  | 'closure_backwards'
  | 'closure_past'
  | 'closure_long'
  | 'closure_far'
  | 'closure_overlaps';

const overlap = (one: Closure, other: Closure): boolean =>
  one.from <= other.to && other.from <= one.to;

/** Whether no two closures share a day. */
export const areApart = (closures: readonly Closure[]): boolean =>
  closures.every((one, index) => closures.slice(index + 1).every((other) => !overlap(one, other)));

/**
 * What is wrong with a new closure beside the existing ones; null for nothing. `today`: the day in UTC, which may still
 * be closed.
 */
export function closureProblem(
  { from, to }: { from: PlainDate; to: PlainDate },
  standing: readonly Closure[],
  today: PlainDate,
): ClosureProblem | null {
  if (to < from) return 'closure_backwards';
  if (from < today) return 'closure_past';
  if (to > addMonths(today, 12 * CLOSURE_YEARS_AHEAD)) return 'closure_far';
  if (daysInclusive(from, to) > MOST_CLOSED_DAYS) return 'closure_long';
  return standing.some((one) => overlap(one, { from, to })) ? 'closure_overlaps' : null;
}
