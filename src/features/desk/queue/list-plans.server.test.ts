import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../../test/database.ts';
import { isThorough } from '../../../../test/thorough.ts';
import { readTotals, readWork } from '../reports/totals.server.ts';
import { makeSealer } from '~/platform/crypto/seal.server.ts';
import { readFilter, sortings } from './list-filter.ts';
import { readList } from './list.server.ts';
import { peekNext } from './next.server.ts';
import { countWorkLists } from './queue.server.ts';
import { searchElsewhere } from './open-search.server.ts';
import { readSearch } from './search-words.ts';
import { storeManyApplications } from '../application/testing/many-applications.server.ts';
import { planIndexes, planReads, watchPlans } from '../application/testing/query-plans.server.ts';

/*
 * What makes lists fast: none reads more than a small part of the applications, however many match.
 */
const APPLICATIONS = 40_000;
/** Rows read by one statement. A count stops at 1,001 matches, or in a search after twelve thousand rows. */
const MAX_ROWS_READ = 13_000;
const now = new Date('2026-11-23T10:00:00Z');
const looking = { staffId: '00000000-0000-4000-8000-000000000000', now };

const sealer = makeSealer({
  data: [{ id: 'test', key: randomBytes(32) }],
  lookup: randomBytes(32),
});
const { pool } = await useDatabase();
await storeManyApplications(pool, APPLICATIONS, now);

const { db, plansOf } = watchPlans(pool);

/** The most applications that one of the statements reads. */
async function mostRead(work: () => Promise<unknown>): Promise<number> {
  const read = (await plansOf(work)).map((plan) =>
    planReads(plan)
      .filter(({ table }) => table === 'application')
      .reduce((sum, { rows }) => sum + rows, 0),
  );
  return Math.max(0, ...read);
}

const searches = [
  'mehmet',
  'Mehmet 1a',
  'abc',
  'q',
  'zz',
  'nobody',
  'Владимир',
  'm77@example.org',
  '@example.org',
  'TRV4F',
  'Müller Strauss',
  'A01234547',
  '+90 532 555 0199',
  '~mehmat',
  '~nobody',
  '~1a first00',
];
const filters = [
  'status=pending',
  'status=rejected',
  'payment=unpaid',
  'payment=unpaid&status=rejected',
  'payment=unpaid&status=approved',
  'nationality=JAM',
  'nationality=FRA',
  'nationality=JAM&service=urgent',
  'service=fast',
  'to=2026-10-28',
  'from=2026-11-22',
  'to=2026-10-28&status=rejected',
];
const shown = [
  '',
  'show=hand_in',
  'show=at_authority',
  'show=to_deliver',
  'show=mine',
  'show=put_off',
  'show=messages',
  'show=corrected',
  'show=action_required',
];
const places = ['after', 'before'];

const middle = await pool.query<{ id: string }>(
  `select id from application where kind = 'visa' order by created_at offset ${APPLICATIONS / 3} limit 1`,
);
const lists = [
  ...[...shown, ...filters].flatMap((query) => sortings.map((sort) => `${query}&sort=${sort}`)),
  ...sortings.flatMap((sort) =>
    places.map((place) => `sort=${sort}&${place}=${middle.rows[0]?.id}`),
  ),
];

async function look(query: string, typed = '') {
  const filter = readFilter(new URLSearchParams(query), 'visa', readSearch(typed, sealer));
  await readList(db, filter, looking, { pageSize: 50, mostCounted: 1001 });
}

test.each(lists)('the list %j reads a small part of the applications', async (query) => {
  expect(await mostRead(() => look(query))).toBeLessThan(MAX_ROWS_READ);
});

/** Each filter and each search, but every third pair of them alone. */
const isTaken = (_: unknown, index: number) => isThorough || index % 3 === 0;
const narrowed = ['', ...filters]
  .flatMap((query) => searches.map((typed) => [query, typed]))
  .filter(isTaken);
const sorted = sortings
  .flatMap((sort) => searches.map((typed) => [`sort=${sort}`, typed]))
  .filter(isTaken);
test.each([...narrowed, ...sorted])(
  'of the list %j the search %j reads a small part of the applications',
  async (query = '', typed = '') => {
    expect(await mostRead(() => look(query, typed))).toBeLessThan(MAX_ROWS_READ);
  },
);

test.each(narrowed)(
  'what the list %j hides of the search %j is counted from a small part of the applications',
  async (query = '', typed = '') => {
    const filter = readFilter(new URLSearchParams(query), 'insurance', readSearch(typed, sealer));
    expect(await mostRead(() => searchElsewhere(db, filter, looking))).toBeLessThan(MAX_ROWS_READ);
  },
);

test.each([
  ['ab12', 'application_search'],
  ['m77@example.org', 'application_search'],
  ['mehmet abc', 'application_search'],
  ['Владимир', 'application_search_other'],
  ['TRV4FA', 'application_number_part'],
  ['Müller', 'application_search'],
  ['~nobody', 'application_search'],
  ['~mehmat', 'application_search'],
  ['+90 532 555 0199', 'application_phone'],
  ['A01234547', 'visa_application_passport'],
  ['A01234547', 'insurance_application_passport'],
])('what few bear, as %j, is found by an index of parts', async (typed, index) => {
  for (const query of ['', 'nationality=ZAF', 'status=rejected', 'sort=name']) {
    const plans = await plansOf(() => look(query, typed));
    expect(plans.flatMap(planIndexes)).toContain(index);
  }
});

test.each(['', 'nationality=JAM', 'sort=name', 'show=hand_in', 'show=to_deliver'])(
  'the next application of the list %j is read from a small part of the waiting ones',
  async (query) => {
    const filter = readFilter(new URLSearchParams(query), 'visa', null);
    const next = () => peekNext({ db, now: () => now }, { id: looking.staffId }, filter);
    expect(await mostRead(next)).toBeLessThan(400);
  },
);

test('what waits is counted from indexes', async () => {
  const since = { week: new Date('2026-11-22T00:00:00Z'), now, soon: now };
  expect(await mostRead(() => readWork(db, since))).toBeLessThan(MAX_ROWS_READ);
  expect(await mostRead(() => countWorkLists(db, now))).toBeLessThan(MAX_ROWS_READ);
});

test('without its indexes a list reads everything, and this would be noticed', async () => {
  const reads = await mostRead(() => readTotals(db, { month: now }));
  expect(reads).toBeGreaterThanOrEqual(APPLICATIONS);
});
