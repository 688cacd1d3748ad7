import { filterQuery, readFilter } from './list-filter.ts';

/** Characters of a name. */
export const LONGEST_VIEW_NAME = 40;
/** Views of one person; more could not be told apart in a row. */
export const MOST_VIEWS = 20;

/** A named list. `owner`: who named it, '' for the reader. */
export type View = {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly owner: string;
  readonly shared: boolean;
  /** Whether the reader's queue begins with it. */
  readonly isStart: boolean;
};

/** What a form about views has done or was refused for; texts in `views:result.<code>`. */
export const viewResults = [
  'saved',
  'removed',
  'shared',
  'unshared',
  'start',
  'no_start',
  'empty_name',
  'long_name',
  'limit',
] as const;
export type ViewResult = (typeof viewResults)[number];

/** The query parameter of such an answer. */
export const VIEW_RESULT = 'view';

/**
 * The query that a view keeps of an address: kind, list, order and filters. A page's place and a search are left out: the
 * one is no list, the other names people.
 */
export function viewQuery(query: string): string {
  const read = new URLSearchParams(query);
  const filter = readFilter(read, read.get('tab') === 'insurance' ? 'insurance' : 'visa', null);
  return filterQuery({ ...filter, place: null, sealedSearch: '' });
}

/** A typed name, with single spaces. */
export function readViewName(typed: string): { name: string } | { problem: ViewResult } {
  const name = typed.replaceAll(/\s+/g, ' ').trim();
  if (name === '') return { problem: 'empty_name' };
  return name.length > LONGEST_VIEW_NAME ? { problem: 'long_name' } : { name };
}
