import type { Database } from '~/platform/postgres/database.server.ts';
import { countList } from './list.server.ts';
import { everything, isNarrowed, MOST_COUNTED, type Kind, type ListFilter } from './list-filter.ts';
import type { ListReader } from './list-order-store.server.ts';

/** Matches of a search that the open list does not show. */
export type Elsewhere = {
  readonly otherKind: Kind;
  /** Matches of the other kind, at most `MOST_ELSEWHERE`; null where the time limit was reached. */
  readonly inOther: number | null;
  /**
   * Matches without the list's filters, at most `MOST_COUNTED` + 1; null without filters, or where the time limit was
   * reached.
   */
  readonly unfiltered: number | null;
};

/** Upper limit of the count. */
const MOST_ELSEWHERE = 100;

const otherThan = (kind: Kind): Kind => (kind === 'visa' ? 'insurance' : 'visa');

/** The matches that the open list does not show; null without a search. */
export async function searchElsewhere(
  db: Database,
  filter: ListFilter,
  looking: ListReader,
): Promise<Elsewhere | null> {
  const { kind, search } = filter;
  if (search === null) return null;
  const whole = { show: 'all', narrowing: everything, search } as const;
  const otherKind = otherThan(kind);
  const [inOther, unfiltered] = await Promise.all([
    countList(db, { ...whole, kind: otherKind }, looking, { mostCounted: MOST_ELSEWHERE }),
    isNarrowed(filter)
      ? countList(db, { ...whole, kind }, looking, { mostCounted: MOST_COUNTED + 1 })
      : null,
  ]);
  return { otherKind, inOther, unfiltered };
}

/** The kind to show first: the one asked for, or the other where only that has matches; null where neither has. */
export async function kindToShow(
  db: Database,
  wished: Kind,
  search: ListFilter['search'],
  looking: ListReader,
): Promise<Kind | null> {
  const whole = { show: 'all', narrowing: everything, search } as const;
  const isThere = (kind: Kind) => countList(db, { ...whole, kind }, looking, { mostCounted: 1 });
  if ((await isThere(wished)) !== 0) return wished;
  const other = otherThan(wished);
  return (await isThere(other)) === 0 ? null : other;
}
