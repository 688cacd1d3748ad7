import { and, count, sql, type SQL } from 'drizzle-orm';
import { queueGroups } from '~/features/application/queue-group.ts';
import { application } from '~/features/application/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { groupsOf } from './list-groups.ts';
import {
  appliedIn,
  chosen,
  condition,
  firstChosen,
  inGroups,
  ofKind,
  splitGroups,
  unindexed,
  unindexedState,
  type ListQuery,
  type ListReader,
} from './list-order-store.server.ts';
import { indexedMatch, isLookedUp, match } from './search-store.server.ts';

/** Rows scanned at most, as a multiple of the rows to count. */
export const SCANNED_PER_COUNTED = 12;

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
export function counting(
  wanted: ListQuery,
  looking: ListReader,
  { limit, scanLimit }: { limit: number; scanLimit: number },
): SQL {
  const found = splitGroups(wanted).map(({ few, groups }) => {
    const days = appliedIn(wanted);
    const shown = and(condition(wanted, looking), inGroups(groups), days);
    const indexed = and(ofKind(wanted), inGroups(groups), days ?? firstChosen(wanted, looking));
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
export function fitting(wanted: ListQuery, looking: ListReader): SQL | undefined {
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

/** Whether rows are read without the search, and each is compared with it. */
export const isScanned = ({ search }: ListQuery, few: boolean): boolean =>
  search !== null && !few && !isLookedUp(search);

/** The search condition where rows are not scanned: small groups are read completely, without the index of names. */
export function matching({ search }: ListQuery, few: boolean): SQL | undefined {
  if (!search) return undefined;
  return few && !isLookedUp(search) ? unindexed(match(search)) : match(search);
}
