import { readSearch, type Search } from './search-words.ts';

export const shownLists = ['all', 'open', 'action_required'] as const;
export type ShownList = (typeof shownLists)[number];

export type Kind = 'visa' | 'insurance';

/** Which applications a list shows. `page` counts from 1. */
export type ListFilter = {
  readonly kind: Kind;
  readonly show: ShownList;
  readonly search: Search | null;
  readonly page: number;
};

const LAST_PAGE = 100_000;

/** Reads `show`, `search` and `page` of an address; what is not understood is as if it were not there. */
export function readFilter(query: URLSearchParams, kind: Kind): ListFilter {
  const page = Number(query.get('page') ?? 1);
  return {
    kind,
    show: shownLists.find((name) => name === query.get('show')) ?? 'all',
    search: readSearch(query.get('search') ?? ''),
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
  };
}
