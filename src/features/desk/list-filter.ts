import type { Search } from './search-words.ts';

export const shownLists = ['open', 'action_required', 'all'] as const;
export type ShownList = (typeof shownLists)[number];

export type Kind = 'visa' | 'insurance';

/** Which applications a list shows. `page` counts from 1. */
export type ListFilter = {
  readonly kind: Kind;
  readonly show: ShownList;
  readonly search: Search | null;
  readonly page: number;
};

/** Rows of one page of the queue. */
export const PAGE_SIZE = 50;

const LAST_PAGE = 100_000;

/**
 * Reads `show` and `page` of an address; what is not understood is as if it were not there. The search never stands in
 * an address: it is somebody's name.
 */
export function readFilter(query: URLSearchParams, kind: Kind, search: Search | null): ListFilter {
  const page = Number(query.get('page') ?? 1);
  return {
    kind,
    show: shownLists.find((name) => name === query.get('show')) ?? 'all',
    search,
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
  };
}

/** The same list in an address; what is usual is left out. */
export function filterQuery({ kind, show, page }: Omit<ListFilter, 'search'>): string {
  const query = new URLSearchParams();
  if (kind !== 'visa') query.set('tab', kind);
  if (show !== 'all') query.set('show', show);
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
