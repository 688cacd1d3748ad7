import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { filterQuery, readFilter, SEARCH, type Kind, type ListFilter } from './list-filter.ts';
import { claimNext } from './next.server.ts';
import { queuePage, type Queue } from './queue.server.ts';
import { openSearch } from './open-search.server.ts';
import { readSearch } from './search-words.ts';
import { statistics, type Statistics } from './statistics.server.ts';

export type OpenQueue = { queue: Queue; figures: Statistics };

/** The list that an address names; `search`: the text searched for, '' for none. */
export function listAt(
  platform: Platform,
  query: URLSearchParams,
): { filter: ListFilter; search: string; sealedSearch: string } {
  const sealed = query.get(SEARCH) ?? '';
  const search = openSearch(platform, sealed);
  const kind: Kind = query.get('tab') === 'insurance' ? 'insurance' : 'visa';
  const filter = readFilter(query, kind, readSearch(search, platform.sealer));
  return { filter, search, sealedSearch: search === '' ? '' : sealed };
}

/** The rows of a list and the figures above it, as they are now. */
export async function openQueue(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  filter: ListFilter,
): Promise<OpenQueue> {
  const at = now();
  const [queue, figures] = await Promise.all([
    queuePage(db, filter, { staffId: staff.id, now: at }),
    statistics(db, at),
  ]);
  return { queue, figures };
}

/** Why a list has no next application, as its address says it. */
export const NO_NEXT = 'none';

/**
 * Claims the next application of a list, by `claimNext`, and returns its address beside that list; of the list itself,
 * with the reason, where there is none. `list`: the list's query.
 */
export async function nextAddress(
  platform: Platform,
  staff: Staff,
  { list, ...wanted }: { list: URLSearchParams; not: string | null; again?: boolean },
): Promise<string> {
  const { filter, sealedSearch } = listAt(platform, list);
  const next = await claimNext(platform, staff, { list: filter, ...wanted });
  const { search: _, ...shown } = { ...filter, sealedSearch, place: null };
  if (typeof next === 'string') {
    const query = new URLSearchParams(filterQuery(shown));
    query.set(NO_NEXT, next);
    return `/admin?${query}`;
  }
  return `/admin/applications/${next.number}${filterQuery({ ...shown, kind: next.kind })}#application`;
}
