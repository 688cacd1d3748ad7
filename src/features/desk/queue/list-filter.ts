import { isUuid } from '~/base/uuid.ts';
import {
  applicationStatuses,
  type ApplicationStatus,
} from '~/features/application/status-machine.ts';
import { readDay } from '../frame/days.tsx';
import type { CaseAction } from '../application/case-actions.ts';
import type { Search } from './search-words.ts';

/**
 * The lists that are the work, each with what is done next to its applications: they are those in whose state the table of
 * actions permits it.
 */
export const workLists = {
  hand_in: 'start_processing',
  at_authority: 'set_reference',
  to_deliver: 'attach',
} as const satisfies Record<string, CaseAction>;
export type WorkList = keyof typeof workLists;

/** The lists of work, in its order; no insurance is handed in or delivered. */
export const workListNames = (kind: QueueKind): readonly WorkList[] =>
  kind === 'insurance' ? ['hand_in'] : ['hand_in', 'at_authority', 'to_deliver'];

/** Lists behind "more": they cross those of work, or wait for the traveller. */
export const moreLists = ['put_off', 'messages', 'corrected', 'action_required', 'mine'] as const;
export const shownLists = [...workListNames('visa'), 'all' as const, ...moreLists];
export type ShownList = (typeof shownLists)[number];

export const isWorkList = (show: ShownList): show is WorkList => show in workLists;

/** `due`: what to do next comes first. */
export const sortings = ['due', 'newest', 'name'] as const;
export type Sorting = (typeof sortings)[number];

export const payments = ['paid', 'unpaid'] as const;

export type QueueKind = 'visa' | 'insurance';

/** A list's filters; '' for no filter. Part of the address, so that a list can be bookmarked and shared. */
export type Narrowing = {
  readonly status: ApplicationStatus | '';
  readonly payment: (typeof payments)[number] | '';
  /** Three letters. */
  readonly nationality: string;
  /** Processing type, or plan. */
  readonly service: string;
  /** First and last day of application, in UTC: `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
};

/** Where a page begins: after an application, or before one. By id, because the sort key may be a name. */
export type ListPlace = { readonly after: string } | { readonly before: string } | null;

/** Which applications a list shows, in which order, from where on. */
export type ListFilter = {
  readonly kind: QueueKind;
  readonly show: ShownList;
  readonly sort: Sorting;
  readonly narrowing: Narrowing;
  readonly search: Search | null;
  readonly place: ListPlace;
};

/** A list as its address names it: with the search sealed, '' for none. */
export type ShownFilter = Omit<ListFilter, 'search'> & { readonly sealedSearch: string };

/** Rows of one page of the queue. */
export const PAGE_SIZE = 50;

/** Above this a list says "more than", as counting further would cost more than the page. */
export const MAX_LIST_COUNT = 1000;

export const everything: Narrowing = {
  status: '',
  payment: '',
  nationality: '',
  service: '',
  from: '',
  to: '',
};

/** Reads a list's address; unknown values are ignored (of calls they are refused: `listQuery`). */
export function readFilter(
  query: URLSearchParams,
  kind: QueueKind,
  search: Search | null,
): ListFilter {
  const parameter = (name: string) => query.get(name) ?? '';
  const uuid = (name: string) => (isUuid(parameter(name)) ? parameter(name) : null);
  const day = (name: string) => readDay(parameter(name)) ?? '';
  const [after, before] = [uuid('after'), uuid('before')];
  return {
    kind,
    show: shownLists.find((name) => name === parameter('show')) ?? 'all',
    sort: sortings.find((name) => name === parameter('sort')) ?? 'due',
    narrowing: {
      status: applicationStatuses.find((name) => name === parameter('status')) ?? '',
      payment: payments.find((name) => name === parameter('payment')) ?? '',
      nationality: /^[A-Z]{3}$/.test(parameter('nationality')) ? parameter('nationality') : '',
      service: /^[\w-]{1,20}$/.test(parameter('service')) ? parameter('service') : '',
      from: day('from'),
      to: day('to'),
    },
    search,
    place: after ? { after } : before ? { before } : null,
  };
}

/** The query parameter of a search, see `open-search.server.ts`. */
export const SEARCH = 'search';

/** Every application of a kind, in the default order. */
export const wholeList = (kind: QueueKind, sealedSearch = ''): ShownFilter => ({
  kind,
  show: 'all',
  sort: 'due',
  narrowing: everything,
  place: null,
  sealedSearch,
});

/** The query of a list's address; defaults are left out. */
export function filterQuery({
  kind,
  show,
  sort,
  narrowing,
  place,
  sealedSearch,
}: ShownFilter): string {
  const query = new URLSearchParams();
  if (kind !== 'visa') query.set('tab', kind);
  if (show !== 'all') query.set('show', show);
  if (sort !== 'due') query.set('sort', sort);
  if (sealedSearch !== '') query.set(SEARCH, sealedSearch);
  for (const [name, value] of Object.entries(narrowing)) if (value !== '') query.set(name, value);
  for (const [name, value] of Object.entries(place ?? {})) query.set(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Whether the list has filters or a status. */
export const isNarrowed = ({ show, narrowing }: Pick<ListFilter, 'show' | 'narrowing'>): boolean =>
  show !== 'all' || countNarrowing(narrowing) > 0;

/** The number of filters in use. */
export const countNarrowing = (narrowing: Narrowing): number =>
  Object.values(narrowing).filter((value) => value !== '').length;

/** Characters of a name. */
export const MAX_VIEW_NAME_LENGTH = 40;
/** Views of one person; more could not be told apart in a row. */
export const MAX_VIEWS = 20;

/** A named list. `owner`: who named it, '' for the reader. */
export type QueueView = {
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
  return name.length > MAX_VIEW_NAME_LENGTH ? { problem: 'long_name' } : { name };
}

/** What an address of an application's page says of the list beside it, without what it says of the application. */
export function listQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ['reject', 'draft', 'done', 'undo', 'view']) query.delete(name);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
