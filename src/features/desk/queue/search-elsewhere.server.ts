import type { Database } from '~/platform/postgres/database.server.ts';
import { countList } from './list.server.ts';
import { everything, isNarrowed, MOST_COUNTED, type Kind, type ListFilter } from './list-filter.ts';
import type { ListReader } from './list-order-store.server.ts';

/** What a list does not show of what its search finds. */
export type Elsewhere = {
  readonly otherKind: Kind;
  /** Found among the other kind's applications, of at most `MOST_ELSEWHERE`; null where the database gave up. */
  readonly inOther: number | null;
  /** Found without the list's filters, of at most `MOST_COUNTED` + 1; null without filters, or where the database gave up. */
  readonly unfiltered: number | null;
};

/** Nobody reads further: that there are many is enough. */
export const MOST_ELSEWHERE = 100;

const otherThan = (kind: Kind): Kind => (kind === 'visa' ? 'insurance' : 'visa');

/** What the open list hides of what its search finds; null without a search. */
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

/** The kind that is shown first: the wished one, or the other where that alone holds what is searched for. */
export async function kindToShow(
  db: Database,
  wished: Kind,
  search: ListFilter['search'],
  looking: ListReader,
): Promise<Kind> {
  const whole = { show: 'all', narrowing: everything, search } as const;
  const isThere = (kind: Kind) => countList(db, { ...whole, kind }, looking, { mostCounted: 1 });
  if ((await isThere(wished)) !== 0) return wished;
  const other = otherThan(wished);
  return (await isThere(other)) === 0 ? wished : other;
}
