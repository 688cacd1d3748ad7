import { randomBytes } from 'node:crypto';
import {
  everything,
  sortings,
  type ListFilter,
  type Narrowing,
  type Sorting,
} from '~/features/desk/queue/list-filter.ts';
import { readTotals, statistics } from '~/features/desk/queue/statistics.server.ts';
import { claimNext, peekNext, type NextList } from '~/features/desk/queue/next.server.ts';
import { queuePage } from '~/features/desk/queue/queue.server.ts';
import { searchElsewhere } from '~/features/desk/queue/open-search.server.ts';
import { readSearch } from '~/features/desk/queue/search-words.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { makeSealer } from '~/platform/crypto/seal.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';

/** `isPromised`: must answer in under a tenth of a second. `run` returns the number of applications in the answer. */
export type Measure = { name: string; isPromised: boolean; run: () => Promise<number> };

const REVIEWER = {
  id: '00000000-0000-4000-8000-000000000000',
  email: 'bench@lale.example',
  name: 'B. Bench',
  role: 'reviewer',
  hasSecondFactor: false,
  appearance: 'device',
  provedFactor: false,
  startView: null,
  isNamed: true,
} as const;
const sealer = makeSealer({
  data: [{ id: 'test', key: randomBytes(32) }],
  lookup: randomBytes(32),
});
const OTHER_ID = '00000000-0000-4000-8000-000000000001';

const base: ListFilter = {
  kind: 'visa',
  show: 'all',
  sort: 'due',
  narrowing: everything,
  search: null,
  place: null,
};

/** One of each kind of value: common, rare, unknown. */
const narrowings: readonly Partial<Narrowing>[] = [
  { status: 'pending' },
  { status: 'processing' },
  { status: 'approved' },
  { status: 'rejected' },
  { payment: 'paid' },
  { payment: 'unpaid' },
  { nationality: 'ZAF' },
  { nationality: 'JAM' },
  { nationality: 'FRA' },
  { service: 'standard' },
  { service: 'urgent_1' },
  { from: '2026-11-20' },
  { from: '2024-01-01' },
  { to: '2022-01-01' },
  { to: '2025-06-30' },
  { from: '2023-03-01', to: '2023-03-31' },
];

/**
 * All that a list page asks of the database: its rows with payments, claims and emails, and their count. Every list,
 * order, search and filter, filters also in pairs; then the next application and the four figures.
 */
export async function measures(db: Database, now: Date): Promise<Measure[]> {
  const looking = { staffId: REVIEWER.id, now };
  const page = (name: string, wanted: Partial<ListFilter>): Measure => ({
    name,
    isPromised: true,
    run: async () => (await queuePage(db, { ...base, ...wanted }, looking)).total,
  });
  /** The counts of matches that a filtered list does not show. */
  const hidden = (name: string, typed: string): Measure => {
    const narrowing = { ...everything, status: 'pending' } as const;
    const filter = { ...base, narrowing, search: readSearch(typed, sealer) };
    return {
      name: `search ${name}, counted elsewhere`,
      isPromised: true,
      run: async () => (await searchElsewhere(db, filter, looking))?.unfiltered ?? 0,
    };
  };
  const middle = async (sort: Sorting) => {
    const { rows } = await queuePage(
      db,
      { ...base, sort, narrowing: { ...everything, to: '2024-05-31' } },
      looking,
    );
    return rows.at(-1) ?? fail('No applications in the middle');
  };
  const row = await middle('newest');
  const { rows: named } = await db.execute<{ email: string }>(
    `select email from application where id = '${row.id}'`,
  );
  const email = named[0]?.email ?? fail('No e-mail');
  const domain = email.slice(email.indexOf('@') + 1);
  const searches: [string, string][] = [
    ['first name of one in eight', 'mehmet'],
    ['first name, its beginning', 'meh'],
    ['first name with accents', 'Sofía'],
    ['first name of one in 250', 'bartholomew'],
    ['first name, Arabic', 'محمد'],
    ['last name of one in ten', 'Yılmaz'],
    ['last name, a part', 'ñez'],
    ['last name of a few', row.lastName],
    ['both names, frequent', 'mehmet yilmaz'],
    ['both names, rare', 'quetzal zolkiewski'],
    ['three words', 'maria garcia gmail'],
    ['e-mail, whole', email],
    ['e-mail, its beginning', email.slice(0, 9)],
    ['e-mail, its house', `@${domain}`],
    ['number, whole', row.number],
    ['number, its beginning', row.number.slice(0, 7)],
    ['number, its end', row.number.slice(-5)],
    ['number, another kind’s', row.number.replace('TRV', 'TRI')],
    ['one letter', 'a'],
    ['one rare letter', 'ø'],
    ['two letters', 'zo'],
    ['two letters of nobody', 'qz'],
    ['nobody’s name', 'xyzzyplugh'],
    ['frequent and nobody’s', 'mehmet xyzzyplugh'],
    ['another script’s, of nobody', 'Владимир'],
    ['two names as long as a number', 'Mustafa Rodríguez'],
    ['signs alone', '%%%'],
  ];
  const { hasSecondFactor: _, provedFactor: __, ...reviewer } = REVIEWER;
  const account = { ...reviewer, passwordHash: '', createdAt: now };
  await db.insert(staffAccount).values(account).onConflictDoNothing();
  const list: NextList = {
    kind: 'visa',
    show: 'all',
    sort: 'due',
    narrowing: everything,
    search: null,
  };
  for (let held = 0; held < 5; held += 1) {
    await claimNext({ db, now: () => now }, REVIEWER, { list, not: null });
  }
  return [
    ...(['all', 'open', 'overdue', 'mine', 'action_required'] as const).flatMap((show) =>
      sortings.map((sort) => page(`list ${show}, by ${sort}`, { show, sort })),
    ),
    page('list insurance', { kind: 'insurance' }),
    ...(await Promise.all(
      sortings.map(async (sort) => {
        const { id } = await middle(sort);
        return [
          page(`list from the middle on, by ${sort}`, { sort, place: { after: id } }),
          page(`list up to the middle, by ${sort}`, { sort, place: { before: id } }),
        ];
      }),
    ).then((pages) => pages.flat())),
    {
      name: 'next application',
      isPromised: true,
      run: async () => ((await peekNext({ db, now: () => now }, { id: OTHER_ID }, list)) ? 1 : 0),
    },
    ...searches.map(([name, typed]) =>
      page(`search ${name}`, { search: readSearch(typed, sealer) }),
    ),
    ...searches.map(([name, typed]) => hidden(name, typed)),
    ...sortings.map((sort) =>
      page(`search mehmet, by ${sort}`, { sort, search: readSearch('mehmet', sealer) }),
    ),
    // Late in the order of names, and rarer than what is scanned.
    ...sortings.map((sort) =>
      page(`search Yılmaz, by ${sort}`, { sort, search: readSearch('Yılmaz', sealer) }),
    ),
    ...narrowings.map((some) =>
      page(`search bartholomew, filter ${words(some)}`, {
        search: readSearch('bartholomew', sealer),
        narrowing: { ...everything, ...some },
      }),
    ),
    ...narrowings.map((some) =>
      page(`search mehmet, filter ${words(some)}`, {
        search: readSearch('mehmet', sealer),
        narrowing: { ...everything, ...some },
      }),
    ),
    ...narrowings.flatMap((some) =>
      sortings.map((sort) =>
        page(`filter ${words(some)}, by ${sort}`, { sort, narrowing: { ...everything, ...some } }),
      ),
    ),
    ...pairs(narrowings).map((some) =>
      page(`filter ${words(some)}`, { narrowing: { ...everything, ...some } }),
    ),
    {
      name: 'figures on the cards',
      isPromised: true,
      run: async () => (await statistics(db, now)).visa,
    },
    {
      name: 'totals of the cards, counted anew in the background',
      isPromised: false,
      run: async () => (await readTotals(db, { month: now })).visa,
    },
  ];
}

function pairs(all: readonly Partial<Narrowing>[]): Partial<Narrowing>[] {
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter((other) => Object.keys(other).every((name) => !(name in one)))
      .map((other) => ({ ...one, ...other })),
  );
}

const words = (some: Partial<Narrowing>) =>
  Object.entries(some)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

function fail(message: string): never {
  throw new Error(message);
}
