import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { builtOnceForEach } from '~/platform/postgres/built-once.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { ListFilter, Sorting } from './list-filter.ts';
import {
  counting,
  fitting,
  isScanned,
  matching,
  SCANNED_PER_COUNTED,
} from './list-count-store.server.ts';
import {
  condition,
  isForAll,
  orders,
  type ListReader,
  type ListQuery,
} from './list-order-store.server.ts';

/*
 * A list without a search is read from an index in its order. With one there are two ways, and which is the shorter one
 * depends on how many bear a name, which nobody knows beforehand:
 *
 * - Scan the list and take what fits. A name that one in eight bears fills a page within 400 rows.
 * - Ask the indexes of names for all that fit, and sort them. A name that nobody bears costs nothing.
 *
 * So a search scans first, a few rows and, where some of them fit, more up to a limit; when the page is not full by then,
 * the name is so rare that the indexes answer quickly.
 */

/**
 * How many rows of each partition are scanned for a page: what one in a hundred and twenty bears fills it on the way. By
 * name the first rows promise nothing: all of one last name stand together.
 */
const SCAN_LIMITS: Record<Sorting, readonly number[]> = {
  due: [1000, 6000],
  newest: [1000, 6000],
  name: [6000],
};
/** Of the first ones. Fewer, and the page would not be full in the end. */
const PROMISING = 5;
/** The rows of one page, and whether there are more in front of it and behind it. */
export type QueuePage = {
  rows: Application[];
  hasBefore: boolean;
  hasAfter: boolean;
  /** How many the whole list has, where the page could not be read without knowing; else null. */
  total: number | null;
  /** What was searched for is so rare that it is counted by the index. */
  isRare: boolean;
};

/** Where a page begins in an order, and how it is read from there. */
type Reading = {
  sort: Sorting;
  at: { part: number; values: SQL[] } | null;
  backwards: boolean;
  limit: number;
  /** Without a search the whole list is counted with the page, up to this; undefined: it is not. */
  mostCounted?: number | undefined;
};

type Found = Pick<QueuePage, 'rows' | 'total' | 'isRare'>;

/** One page of a list: by what stands behind or before a known application, never by counting rows. */
export async function listApplications(
  db: Queryable,
  { sort, place, ...wanted }: ListFilter,
  looking: ListReader,
  {
    pageSize,
    scanLimits = SCAN_LIMITS[sort],
    mostCounted,
  }: {
    pageSize: number;
    scanLimits?: readonly number[];
    /** So many are counted at most, in the same statement where that can be. */
    mostCounted?: number;
  },
): Promise<QueuePage> {
  const backwards = place !== null && 'before' in place;
  const at = place ? await placeOf(db, sort, 'before' in place ? place.before : place.after) : null;
  const reading = { sort, at, backwards, limit: pageSize + 1, mostCounted };
  const { rows, ...rest } =
    (await scanWithLimit(db, wanted, looking, reading, scanLimits)) ??
    (await askIndex(db, wanted, looking, reading));
  const hasMore = rows.length > pageSize;
  const page = rows.slice(0, pageSize);
  return backwards
    ? { rows: page.toReversed(), hasBefore: hasMore, hasAfter: at !== null, ...rest }
    : { rows: page, hasBefore: at !== null, hasAfter: hasMore, ...rest };
}

/** The list in its order, through more and more rows; null where a search finds too little on the way. */
async function scanWithLimit(
  db: Queryable,
  wanted: ListQuery,
  looking: ListReader,
  reading: Reading,
  scanLimits: readonly number[],
): Promise<Found | null> {
  for (const most of scanLimits) {
    const rows = await readPartitions(db, wanted, looking, reading, most);
    const steps = rows.map(({ step }) => step).filter((step) => step > 0);
    // Nothing was read beyond the limit of a partition: the page has to be full before it.
    if (!steps.includes(most)) {
      const isRare = Math.max(0, ...steps) > SCANNED_PER_COUNTED * steps.length;
      return { rows: rows.map(({ row }) => row), total: rows[0]?.total ?? null, isRare };
    }
    if (steps.filter((step) => step < most).length < PROMISING) return null;
  }
  return null;
}

/** Partition by partition; `step`: how many rows of its own were scanned up to this one, 0 where they are not scanned. */
async function readPartitions(
  db: Queryable,
  { kind, show, narrowing, search }: ListQuery,
  looking: ListReader,
  { sort, at, backwards, limit, mostCounted }: Reading,
  scanLimit: number,
): Promise<{ row: Application; step: number; total: number | null }[]> {
  const wanted = { kind, show, narrowing, search };
  const reading = { sort, at, backwards, limit, mostCounted };
  const rows =
    at === null && search === null && isForAll(wanted)
      ? firstPages(db, { wanted, reading })?.execute()
      : partitionsQuery(db, { wanted, looking, reading, scanLimit });
  return (await rows) ?? [];
}

/** First pages of the lists that staff open all day, by what narrows them. */
const firstPages = builtOnceForEach((db, list: { wanted: ListQuery; reading: Reading }) =>
  partitionsQuery(db, { ...list, looking: NOBODY, scanLimit: 0 })?.prepare(UNNAMED),
);

const NOBODY: ListReader = { staffId: '', now: new Date(0) };

/** Null where nothing can stand in the list. */
function partitionsQuery(
  db: Queryable,
  {
    wanted,
    looking,
    reading,
    scanLimit,
  }: { wanted: ListQuery; looking: ListReader; reading: Reading; scanLimit: number },
) {
  const { sort, at, backwards, limit, mostCounted } = reading;
  const { inOrder, inPart, beyond, direction } = wordsOf(reading);
  const found = orders[sort]
    .partitions(wanted, looking)
    .filter(({ part }) => !at || (backwards ? part <= at.part : part >= at.part))
    .map(({ part, few, where, indexed, by }) => {
      const order = [...by, sql`${application.id}`];
      const from =
        at?.part === part ? sql`(${list(order)}) ${beyond} (${list(at.values)})` : undefined;
      const shown = and(condition(wanted, looking), where);
      const rowOrder = list(order.map((one) => sql`${one} ${direction}`));
      const columns = sql`${application.id}, ${sql.raw(String(part))} as part, ${named(by)}`;
      return isScanned(wanted, few)
        ? sql`(select id, part, ${list(by.map((_, index) => sql.raw(`v${index}`)))}, step from (
            select ${columns}, ${and(shown, matching(wanted, few))} as fits, row_number() over (order by ${rowOrder}) as step
            from ${application} where ${and(indexed, from)} order by ${rowOrder} limit ${scanLimit}
          ) found where fits or step = ${scanLimit} order by ${inPart} limit ${limit})`
        : sql`(select ${columns}, 0 as step from ${application}
            where ${and(shown, matching(wanted, few), from)} order by ${rowOrder} limit ${limit})`;
    });
  if (found.length === 0) return null;
  return db
    .select({
      row: getTableColumns(application),
      step: sql`found.step`.mapWith(Number),
      total:
        wanted.search === null && mostCounted !== undefined
          ? sql<
              number | null
            >`(select count(*) from ${counting(wanted, looking, { limit: mostCounted, scanLimit: 0 })})`.mapWith(
              Number,
            )
          : sql<null>`null`,
    })
    .from(application)
    .innerJoin(
      sql`(select * from (${sql.join(found, sql` union all `)}) found order by ${inOrder} limit ${limit}) found`,
      sql`found.id = ${application.id}`,
    )
    .orderBy(inOrder);
}

/** All that fit, from the index of names, put in order and counted on the way. */
async function askIndex(
  db: Queryable,
  wanted: ListQuery,
  looking: ListReader,
  reading: Reading,
): Promise<Found> {
  const { sort, at, limit } = reading;
  const { columns, inOrder, beyond } = wordsOf(reading);
  const { part, by } = orders[sort];
  const from = at
    ? sql`(${list(columns)}) ${beyond} (${list([sql`${at.part}`, ...at.values])})`
    : undefined;
  const rows = await db
    .select({ row: getTableColumns(application), total: sql`found.total`.mapWith(Number) })
    .from(application)
    .innerJoin(
      sql`(select * from (
          select ${application.id}, ${part} as part, ${named(by)}, count(*) over () as total
          from ${application} where ${fitting(wanted, looking)}
        ) found where ${from ?? sql`true`} order by ${inOrder} limit ${limit}) found`,
      sql`found.id = ${application.id}`,
    )
    .orderBy(inOrder);
  return { rows: rows.map(({ row }) => row), total: rows[0]?.total ?? null, isRare: true };
}

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
const named = (by: readonly SQL[]): SQL =>
  list(by.map((one, index) => sql`${one} as ${sql.raw(`v${index}`)}`));

/** How the parts of a statement speak of a page's order. */
function wordsOf({ sort, backwards }: Pick<Reading, 'sort' | 'backwards'>) {
  const direction = sql.raw(backwards ? 'desc' : 'asc');
  const columns = ['part', ...orders[sort].by.map((_, index) => `v${index}`), 'id'].map((name) =>
    sql.raw(`found.${name}`),
  );
  return {
    direction,
    columns,
    inOrder: list(columns.map((column) => sql`${column} ${direction}`)),
    // Of one part alone: with it the database would sort anew what comes in order, and read all of it first.
    inPart: list(columns.slice(1).map((column) => sql`${column} ${direction}`)),
    beyond: sql.raw(backwards ? '<' : '>'),
  };
}

/** Where an application stands in an order; null for an unknown one. */
async function placeOf(
  db: Queryable,
  sort: Sorting,
  id: string,
): Promise<{ part: number; values: SQL[] } | null> {
  const { part, by } = orders[sort];
  const values = sql<string[]>`array[${list(by.map((one) => sql`(${one})::text`))}]`;
  const [row] = await db
    .select({ part: sql`${part}`.mapWith(Number), values })
    .from(application)
    .where(eq(application.id, id));
  return row ? { part: row.part, values: [...row.values, id].map((value) => sql`${value}`) } : null;
}
