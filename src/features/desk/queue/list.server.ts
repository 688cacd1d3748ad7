import type { Database, Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import { TookTooLong, readWithinTime } from '~/platform/postgres/transactions.server.ts';
import type { ListFilter, Sorting } from './list-filter.ts';
import {
  type ListReader,
  type ListQuery,
  listCondition,
  orders,
  isSubmittedInDays,
  indexedConditions,
  firstIndexedCondition,
  groupsCondition,
  kindCondition,
  splitGroups,
  unindexed,
  unindexedState,
  listedGroups,
  indexedMatch,
  isLookedUp,
  matchCondition,
} from './list-query.server.ts';
import { and, eq, getTableColumns, sql, type SQL, count } from 'drizzle-orm';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { prepareOnceForEach } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import { queueGroups } from '~/features/application/queue-group.ts';

/** Whether a list is the same for everybody at any time. */
const isForAll = ({ show }: ListQuery): boolean => show !== 'mine' && show !== 'put_off';

/** Rows scanned at most, as a multiple of the rows to count. */
const SCANNED_PER_COUNTED = 12;

type Counting = { limit: number; isRare?: boolean; scanLimit?: number };

/** The number of rows in a list, counted up to a limit. */
export async function countApplications(
  db: Queryable,
  wanted: ListQuery,
  looking: ListReader,
  { limit, isRare = false, scanLimit = SCANNED_PER_COUNTED * limit }: Counting,
): Promise<number> {
  if (isRare) return countByIndex(db, wanted, looking, limit);
  if (splitGroups(wanted).length === 0) return 0;
  const [row] = await db
    .select({
      counted: sql`count(*) filter (where fits)`.mapWith(Number),
      isEnd: sql<boolean>`coalesce(bool_or(is_end), false)`,
    })
    .from(counting(wanted, looking, { limit, scanLimit }));
  return row && (!row.isEnd || row.counted === limit)
    ? row.counted
    : countByIndex(db, wanted, looking, limit);
}

/** Counts row by row. `fits`: whether a row belongs to the list; `is_end`: nothing was read after this one. */
function counting(
  wanted: ListQuery,
  looking: ListReader,
  { limit, scanLimit }: { limit: number; scanLimit: number },
): SQL {
  const found = splitGroups(wanted).map(({ few, groups }) => {
    const days = isSubmittedInDays(wanted);
    const shown = and(listCondition(wanted, looking), groupsCondition(groups), days);
    const indexed = and(
      kindCondition(wanted),
      groupsCondition(groups),
      days ?? firstIndexedCondition(wanted, looking),
    );
    return isScanned(wanted, few)
      ? sql`(select fits, step = ${scanLimit} as is_end from (
          select ${and(shown, matching(wanted, few))} as fits, row_number() over () as step
          from ${application} where ${indexed} limit ${scanLimit}
        ) scanned where fits or step = ${scanLimit} limit ${limit})`
      : sql`(select true as fits, false as is_end from ${application}
          where ${and(shown, matching(wanted, few))} limit ${limit})`;
  });
  return sql`(select * from (${sql.join(found, sql` union all `)}) part limit ${limit}) found`;
}

/** By the index of names. */
async function countByIndex(db: Queryable, wanted: ListQuery, looking: ListReader, limit: number) {
  const [row] = await db
    .select({ counted: count() })
    .from(sql`(select from ${application} where ${fitting(wanted, looking)} limit ${limit}) found`);
  return row?.counted ?? 0;
}

/** The list's conditions, written so that only the indexes of names can be used. */
function fitting(wanted: ListQuery, looking: ListReader): SQL | undefined {
  const groups = listedGroups(wanted);
  const isEverything = groups.length === Object.keys(queueGroups).length;
  return and(
    unindexedState(wanted),
    indexedConditions(wanted, looking),
    isEverything ? undefined : unindexed(groupsCondition(groups)),
    isSubmittedInDays(wanted),
    wanted.search ? indexedMatch(wanted.search) : undefined,
  );
}

/** Whether rows are read without the search, and each is compared with it. */
const isScanned = ({ search }: ListQuery, few: boolean): boolean =>
  search !== null && !few && !isLookedUp(search);

/** The search condition where rows are not scanned: small groups are read completely, without the index of names. */
function matching({ search }: ListQuery, few: boolean): SQL | undefined {
  if (!search) return undefined;
  return few && !isLookedUp(search) ? unindexed(matchCondition(search)) : matchCondition(search);
}

/*
 * A list without a search is read from an index in its order. With one there are two ways; which is faster depends on
 * how many applications match, which is not known beforehand:
 * - Scan the list and take what matches. A name that one in eight has fills a page within 400 rows.
 * - Ask the indexes of names for all matches, and sort them. A name that nobody has costs nothing. So a search scans a
 * few rows first and, where some match, more up to a limit; if the page is not full by then, the name is rare enough
 * for the indexes.
 */

/**
 * Rows of each partition scanned for a page: a name that one in a hundred and twenty has fills it. In order of names
 * the first rows say nothing, because equal last names stand together.
 */
const SCAN_LIMITS: Record<Sorting, readonly number[]> = {
  due: [1000, 6000],
  newest: [1000, 6000],
  name: [6000],
};
/** Matches among the first rows; with fewer, scanning on would not fill the page. */
const PROMISING = 5;
/** The rows of one page, and whether there are more before and after it. */
type QueuePage = {
  rows: Application[];
  hasBefore: boolean;
  hasAfter: boolean;
  /** The list's size, where the page could not be read without it; null otherwise. */
  total: number | null;
  /** The search is rare enough to be counted by the index. */
  isRare: boolean;
};

/** Where a page begins in an order, and the direction of reading. */
type Reading = {
  sort: Sorting;
  at: { part: number; values: SQL[] } | null;
  backwards: boolean;
  limit: number;
  /** Without a search the list is counted with the page, up to this; undefined: not counted. */
  mostCounted?: number | undefined;
};

type Found = Pick<QueuePage, 'rows' | 'total' | 'isRare'>;

/** One page of a list, found by the rows after or before a known application, without an offset. */
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
    /** Upper limit of the count, done in the same statement where possible. */
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

/** Scans the list in its order, with growing limits; null where a search finds too little. */
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
    // Rows beyond a partition's limit were not read, so the page must be full before it.
    if (!steps.includes(most)) {
      const isRare = Math.max(0, ...steps) > SCANNED_PER_COUNTED * steps.length;
      return { rows: rows.map(({ row }) => row), total: rows[0]?.total ?? null, isRare };
    }
    if (steps.filter((step) => step < most).length < PROMISING) return null;
  }
  return null;
}

/** Partition by partition; `step`: the position of a scanned row in its partition, 0 where rows are not scanned. */
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

/** Prepared statements of the first pages that staff open all day, by their filters. */
const firstPages = prepareOnceForEach((db, list: { wanted: ListQuery; reading: Reading }) =>
  partitionsQuery(db, { ...list, looking: NOBODY, scanLimit: 0 })?.prepare(UNNAMED),
);

const NOBODY: ListReader = { staffId: '', now: new Date(0) };

/** Null where the list must be empty. */
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
      const shown = and(listCondition(wanted, looking), where);
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

/** All matches of the index of names, sorted, with their number. */
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

/** The sort keys of a page's order in SQL. */
function wordsOf({ sort, backwards }: Pick<Reading, 'sort' | 'backwards'>) {
  const direction = sql.raw(backwards ? 'desc' : 'asc');
  const columns = ['part', ...orders[sort].by.map((_, index) => `v${index}`), 'id'].map((name) =>
    sql.raw(`found.${name}`),
  );
  return {
    direction,
    columns,
    inOrder: list(columns.map((column) => sql`${column} ${direction}`)),
    // Within one partition the first key is constant; with it the database would read and sort everything.
    inPart: list(columns.slice(1).map((column) => sql`${column} ${direction}`)),
    beyond: sql.raw(backwards ? '<' : '>'),
  };
}

/** An application's position in an order; null for an unknown one. */
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

/** Milliseconds, twenty times the target of a list: an expensive filter must not block the desk for longer. */
const LIST_LIMIT_MS = 2000;

/**
 * For searches. PostgreSQL underestimates the cost of comparing texts and would rather scan the table than an index of
 * names; compiling a statement takes longer than running it; and a hundred thousand equal names are sorted in memory.
 */
const PLANNED = { enable_seqscan: 'off', jit: 'off', work_mem: '32MB' } as const;

type Size = { pageSize: number; mostCounted: number; limitMs?: number };

/** One page of a list and its size, counted up to a limit; null where the time limit was reached. */
export async function readList(
  db: Database,
  filter: ListFilter,
  looking: ListReader,
  { pageSize, mostCounted, limitMs = LIST_LIMIT_MS }: Size,
): Promise<(QueuePage & { total: number }) | null> {
  try {
    const planned = filter.search ? PLANNED : {};
    const read = async (tx: Transaction) => {
      const page = await listApplications(tx, filter, looking, { pageSize, mostCounted });
      const isWhole = !page.hasBefore && !page.hasAfter;
      const total = isWhole
        ? page.rows.length
        : page.total === null
          ? await countApplications(tx, filter, looking, {
              limit: mostCounted,
              isRare: page.isRare,
            })
          : Math.min(page.total, mostCounted);
      return { ...page, total };
    };
    return await readWithinTime(db, limitMs, read, planned);
  } catch (error) {
    if (error instanceof TookTooLong) return null;
    throw error;
  }
}

/** The size of a list, counted up to a limit; null where the time limit was reached. */
export async function countList(
  db: Database,
  filter: ListQuery,
  looking: ListReader,
  { mostCounted, limitMs = LIST_LIMIT_MS }: Omit<Size, 'pageSize'>,
): Promise<number | null> {
  try {
    return await readWithinTime(
      db,
      limitMs,
      (tx) => countApplications(tx, filter, looking, { limit: mostCounted }),
      filter.search ? PLANNED : {},
    );
  } catch (error) {
    if (error instanceof TookTooLong) return null;
    throw error;
  }
}
