import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { nextFree } from './claim-store.server.ts';
import { readTotals, readWork } from './figures-store.server.ts';
import { readFilter, sortings } from './list-filter.ts';
import { countApplications, listApplications } from './list-store.server.ts';
import { readSearch } from './search-words.ts';
import { storeManyApplications } from './testing/many-applications.server.ts';

/*
 * `bench/desk.ts` measures at a million. This guards what makes it quick: no list of the desk reads more than a small
 * part of the applications, however many match.
 */
const APPLICATIONS = 20_000;
/** By one statement. A count stops at 1,001 that fit: of one in nine it finds them in nine thousand. */
const MOST_READ = 10_000;
const now = new Date('2026-11-23T10:00:00Z');
const looking = { staffId: '00000000-0000-4000-8000-000000000000', now };

const { pool } = await useDatabase();
await storeManyApplications(pool, APPLICATIONS, now);

type Asked = { query: string; params: unknown[] };
const asked: Asked[] = [];
const db = drizzle({
  client: pool,
  logger: { logQuery: (query, params) => void asked.push({ query, params }) },
});

/** The most applications that one of the statements reads. */
async function mostRead(work: () => Promise<unknown>): Promise<number> {
  asked.length = 0;
  await work();
  const read = [0];
  for (const one of asked.filter(({ query }) => query.startsWith('select'))) {
    read.push(await readBy(one));
  }
  return Math.max(...read);
}

async function readBy({ query, params }: Asked): Promise<number> {
  const client = await pool.connect();
  try {
    // In so small a table reading all of it often looks cheaper than it would be at a million.
    await client.query('begin; set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (analyze, format json) ${query}`,
      params,
    );
    return rowsRead(rows[0]?.['QUERY PLAN'][0].Plan);
  } finally {
    await client.query('rollback').finally(() => client.release());
  }
}

type Node = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

function rowsRead(node: Node | undefined): number {
  if (!node) return 0;
  const own =
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  return (node['Relation Name'] === 'application' ? own : 0) + below;
}

const searches = ['mehmet', 'Mehmet 1a', 'abc', 'q', 'zz', 'nobody', 'm77@example.org', 'TRV4F'];
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
const shown = ['', 'show=open', 'show=overdue', 'show=mine', 'show=action_required'];
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
  const filter = readFilter(new URLSearchParams(query), 'visa', readSearch(typed));
  await listApplications(db, filter, looking, 50);
  await countApplications(db, filter, looking, 1001);
}

test.each(lists)('the list %j reads a small part of the applications', async (query) => {
  expect(await mostRead(() => look(query))).toBeLessThan(MOST_READ);
});

test.each(searches)('the search %j reads a small part of the applications', async (typed) => {
  expect(await mostRead(() => look('', typed))).toBeLessThan(MOST_READ);
});

test('the next application is read alone', async () => {
  const next = () =>
    db.transaction((tx) =>
      nextFree(tx, { kind: 'visa', staffId: looking.staffId, now, not: null }),
    );
  expect(await mostRead(next)).toBeLessThan(10);
});

test('what waits is counted from indexes', async () => {
  const since = { week: new Date('2026-11-22T00:00:00Z'), soon: now };
  expect(await mostRead(() => readWork(db, since))).toBeLessThan(MOST_READ);
});

test('without its indexes a list reads everything, and this would be noticed', async () => {
  const reads = await mostRead(() => readTotals(db, { month: now }));
  expect(reads).toBeGreaterThanOrEqual(APPLICATIONS);
});
