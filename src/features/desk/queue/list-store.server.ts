import { and, count, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { queueGroups } from '~/features/application/queue-group.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { builtOnceForEach } from '~/platform/postgres/built-once.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { ListFilter, Sorting } from './list-filter.ts';
import { groupsOf } from './list-groups.ts';
import {
  appliedIn,
  chosen,
  condition,
  firstChosen,
  inGroups,
  isForAll,
  ofKind,
  orders,
  splitGroups,
  unindexed,
  unindexedState,
  type ListReader,
  type ListQuery,
} from './list-order-store.server.ts';
import { indexedMatch, isLookedUp, match } from './search-store.server.ts';

/*
 * A list without a search is read from an index in its order. With one there are two ways, and which is the shorter one
 * depends on how many bear a name, which nobody knows beforehand:
 *
 * - Leaf through the list and take what fits. A name that one in eight bears fills a page within 400 rows.
 * - Ask the indexes of names for all that fit, and sort them. A name that nobody bears costs nothing.
 *
 * So a search leafs first, through a few rows and, where some of them fit, through so many at most; when the page is not
 * full by then, the name is so rare that the indexes answer quickly.
 */

/**
 * Rows of each stretch, for a page: what one in a hundred and twenty bears fills it on the way. By name the first rows
 * promise nothing: all of one last name stand together.
 */
const LEAFED: Record<Sorting, readonly number[]> = {
  due: [1000, 6000],
  newest: [1000, 6000],
  name: [6000],
};
/** Of the first ones. Fewer, and the page would not be full in the end. */
const PROMISING = 5;
/** Rows for each one that is to be counted. */
const LEAFED_PER_COUNTED = 12;

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
    leafed = LEAFED[sort],
    mostCounted,
  }: {
    pageSize: number;
    leafed?: readonly number[];
    /** So many are counted at most, in the same statement where that can be. */
    mostCounted?: number;
  },
): Promise<QueuePage> {
  const backwards = place !== null && 'before' in place;
  const at = place ? await placeOf(db, sort, 'before' in place ? place.before : place.after) : null;
  const reading = { sort, at, backwards, limit: pageSize + 1, mostCounted };
  const { rows, ...rest } =
    (await scanWithLimit(db, wanted, looking, reading, leafed)) ??
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
  leafed: readonly number[],
): Promise<Found | null> {
  for (const most of leafed) {
    const rows = await readPartitions(db, wanted, looking, reading, most);
    const steps = rows.map(({ step }) => step).filter((step) => step > 0);
    // Nobody looked behind the end of a stretch: the page has to be full before it.
    if (!steps.includes(most)) {
      const isRare = Math.max(0, ...steps) > LEAFED_PER_COUNTED * steps.length;
      return { rows: rows.map(({ row }) => row), total: rows[0]?.total ?? null, isRare };
    }
    if (steps.filter((step) => step < most).length < PROMISING) return null;
  }
  return null;
}

/** Stretch by stretch; `step`: how many rows of its stretch were looked at up to this one, 0 where none are leafed. */
async function readPartitions(
  db: Queryable,
  { kind, show, narrowing, search }: ListQuery,
  looking: ListReader,
  { sort, at, backwards, limit, mostCounted }: Reading,
  leafed: number,
): Promise<{ row: Application; step: number; total: number | null }[]> {
  const wanted = { kind, show, narrowing, search };
  const reading = { sort, at, backwards, limit, mostCounted };
  const rows =
    at === null && search === null && isForAll(wanted)
      ? firstPages(db, { wanted, reading })?.execute()
      : partitionsQuery(db, { wanted, looking, reading, leafed });
  return (await rows) ?? [];
}

/** First pages of the lists that staff open all day, by what narrows them. */
const firstPages = builtOnceForEach((db, list: { wanted: ListQuery; reading: Reading }) =>
  partitionsQuery(db, { ...list, looking: NOBODY, leafed: 0 })?.prepare(UNNAMED),
);

const NOBODY: ListReader = { staffId: '', now: new Date(0) };

/** Null where nothing can stand in the list. */
function partitionsQuery(
  db: Queryable,
  {
    wanted,
    looking,
    reading,
    leafed,
  }: { wanted: ListQuery; looking: ListReader; reading: Reading; leafed: number },
) {
  const { sort, at, backwards, limit, mostCounted } = reading;
  const { inOrder, inPart, beyond, direction } = wordsOf(reading);
  const found = orders[sort]
    .stretches(wanted, looking)
    .filter(({ part }) => !at || (backwards ? part <= at.part : part >= at.part))
    .map(({ part, few, where, indexed, by }) => {
      const order = [...by, sql`${application.id}`];
      const from =
        at?.part === part ? sql`(${list(order)}) ${beyond} (${list(at.values)})` : undefined;
      const shown = and(condition(wanted, looking), where);
      const rowOrder = list(order.map((one) => sql`${one} ${direction}`));
      const columns = sql`${application.id}, ${sql.raw(String(part))} as part, ${named(by)}`;
      return isLeafed(wanted, few)
        ? sql`(select id, part, ${list(by.map((_, index) => sql.raw(`v${index}`)))}, step from (
            select ${columns}, ${and(shown, matching(wanted, few))} as fits, row_number() over (order by ${rowOrder}) as step
            from ${application} where ${and(indexed, from)} order by ${rowOrder} limit ${leafed}
          ) found where fits or step = ${leafed} order by ${inPart} limit ${limit})`
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
            >`(select count(*) from ${counting(wanted, looking, { limit: mostCounted, leafed: 0 })})`.mapWith(
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

/** What a list shows, in words that leave the database no index but those of names. */
function fitting(wanted: ListQuery, looking: ListReader): SQL | undefined {
  const groups = groupsOf(wanted);
  const isEverything = groups.length === Object.keys(queueGroups).length;
  return and(
    unindexedState(wanted, looking),
    chosen(wanted, looking),
    isEverything ? undefined : unindexed(inGroups(groups)),
    appliedIn(wanted),
    wanted.search ? indexedMatch(wanted.search) : undefined,
  );
}

/** Whether rows are read without the search, and looked at one by one. */
const isLeafed = ({ search }: ListQuery, few: boolean): boolean =>
  search !== null && !few && !isLookedUp(search);

/** The search where rows are not leafed through: the few are read whole, without the index of names. */
function matching({ search }: ListQuery, few: boolean): SQL | undefined {
  if (!search) return undefined;
  return few && !isLookedUp(search) ? unindexed(match(search)) : match(search);
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

type Counting = { limit: number; isRare?: boolean; leafed?: number };

/** How many a list has, counted up to a limit: nobody reads the last digit of a million. */
export async function countApplications(
  db: Queryable,
  wanted: ListQuery,
  looking: ListReader,
  { limit, isRare = false, leafed = LEAFED_PER_COUNTED * limit }: Counting,
): Promise<number> {
  if (isRare) return countByIndex(db, wanted, looking, limit);
  if (splitGroups(wanted).length === 0) return 0;
  const [row] = await db
    .select({
      counted: sql`count(*) filter (where fits)`.mapWith(Number),
      isEnd: sql<boolean>`coalesce(bool_or(is_end), false)`,
    })
    .from(counting(wanted, looking, { limit, leafed }));
  return row && (!row.isEnd || row.counted === limit)
    ? row.counted
    : countByIndex(db, wanted, looking, limit);
}

/** What is counted, row by row. `fits`: of the list; `is_end`: nobody looked behind this one. */
function counting(
  wanted: ListQuery,
  looking: ListReader,
  { limit, leafed }: { limit: number; leafed: number },
): SQL {
  const found = splitGroups(wanted).map(({ few, groups }) => {
    const days = appliedIn(wanted);
    const shown = and(condition(wanted, looking), inGroups(groups), days);
    const indexed = and(ofKind(wanted), inGroups(groups), days ?? firstChosen(wanted, looking));
    return isLeafed(wanted, few)
      ? sql`(select fits, step = ${leafed} as is_end from (
          select ${and(shown, matching(wanted, few))} as fits, row_number() over () as step
          from ${application} where ${indexed} limit ${leafed}
        ) leafed where fits or step = ${leafed} limit ${limit})`
      : sql`(select true as fits, false as is_end from ${application}
          where ${and(shown, matching(wanted, few))} limit ${limit})`;
  });
  return sql`(select * from (${sql.join(found, sql` union all `)}) part limit ${limit}) found`;
}

async function countByIndex(db: Queryable, wanted: ListQuery, looking: ListReader, limit: number) {
  const [row] = await db
    .select({ counted: count() })
    .from(sql`(select from ${application} where ${fitting(wanted, looking)} limit ${limit}) found`);
  return row?.counted ?? 0;
}
