import {
  everything,
  MOST_COUNTED,
  PAGE_SIZE,
  type ListFilter,
} from '~/features/desk/list-filter.ts';
import { readSearch } from '~/features/desk/search-words.ts';
import { statistics } from '~/features/desk/statistics.server.ts';
import { countApplications, listApplications } from '~/features/desk/list-store.server.ts';
import type { Database } from '~/platform/database.server.ts';

/** `isPromised`: must answer in under a tenth of a second. `run` says how many rows came. */
export type Measure = { name: string; isPromised: boolean; run: () => Promise<number> };

/** What the desk asks its store: one list page each, with its count, and the four figures. */
export async function measures(db: Database, now: Date): Promise<Measure[]> {
  const looking = { staffId: '00000000-0000-4000-8000-000000000000', now };
  const base: ListFilter = {
    kind: 'visa',
    show: 'all',
    sort: 'due',
    narrowing: everything,
    search: null,
    place: null,
  };
  const list = (name: string, wanted: Partial<ListFilter>): Measure => {
    const filter = { ...base, ...wanted };
    const run = async () => (await listApplications(db, filter, looking, PAGE_SIZE)).rows.length;
    return { name, isPromised: true, run };
  };
  const counted = (name: string, wanted: Partial<ListFilter>): Measure => ({
    name: `count: ${name}`,
    isPromised: true,
    run: () => countApplications(db, { ...base, ...wanted }, looking, MOST_COUNTED),
  });
  const both = (name: string, wanted: Partial<ListFilter>) => [
    list(name, wanted),
    counted(name, wanted),
  ];
  const first = await listApplications(db, { ...base, sort: 'newest' }, looking, PAGE_SIZE);
  const row = first.rows.at(-1);
  if (!row) throw new Error('No applications');
  const deep = await listApplications(
    db,
    { ...base, narrowing: { ...everything, to: '2024-06-01' }, sort: 'newest' },
    looking,
    1,
  );
  const after = deep.rows.at(0)?.id ?? row.id;
  const search = (text: string) =>
    both(`search ${JSON.stringify(text)}`, { search: readSearch(text) });
  const narrow = (name: keyof typeof everything, value: string) =>
    both(`filter ${name} ${value}`, { narrowing: { ...everything, [name]: value } });
  return [
    ...both('queue, first page', {}),
    ...both('queue, open', { show: 'open' }),
    ...both('queue, overdue', { show: 'overdue' }),
    ...both('queue, mine', { show: 'mine' }),
    ...both('queue, action required', { show: 'action_required' }),
    list('queue, page in the middle', { place: { after } }),
    list('newest, page in the middle', { sort: 'newest', place: { after } }),
    list('by name, page in the middle', { sort: 'name', place: { after } }),
    ...search('maria'),
    ...search('hernandez'),
    ...search('thabo naidoo'),
    ...search(row.email),
    ...search(row.number),
    ...search(row.number.slice(5, 11)),
    ...search('family nobody'),
    ...search('example'),
    ...search('a'),
    ...narrow('status', 'pending'),
    ...narrow('status', 'rejected'),
    ...narrow('payment', 'unpaid'),
    ...narrow('nationality', 'JAM'),
    ...narrow('nationality', 'ZAF'),
    ...narrow('service', 'urgent'),
    ...narrow('from', '2026-11-01'),
    ...narrow('to', '2022-01-01'),
    {
      name: 'statistics, the four figures',
      isPromised: false,
      run: async () => (await statistics(db, now)).visa,
    },
  ];
}
