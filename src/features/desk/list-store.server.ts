import { and, count, eq, getTableColumns, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { queueGroups, type QueueGroup } from '~/features/application/queue-group.ts';
import {
  inGroupSql,
  newestKeySql,
  queueGroupSql,
  queueKeySql,
} from '~/features/application/queue-sql.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import type { Queryable } from '~/platform/database.server.ts';
import { claimedBy } from './claim-store.server.ts';
import type { ListFilter, Sorting } from './list-filter.ts';
import { groupsOf } from './list-groups.ts';
import { searchCondition } from './search-store.server.ts';

/** Who looks, and when: for what is theirs and what is late. */
export type Looking = { staffId: string; now: Date };

type Wanted = Omit<ListFilter, 'place' | 'sort'>;

const DAY_MS = 24 * 3600_000;

/** What a list shows, but for the groups of the queue and the days of application. `few`: see `searchCondition`. */
function condition(
  { kind, show, narrowing, search }: Wanted,
  { staffId, now }: Looking,
  few: boolean,
) {
  const { status, nationality, service } = narrowing;
  return and(
    eq(application.kind, kind),
    show === 'overdue' ? lt(queueKeySql(application), String(now.getTime())) : undefined,
    show === 'mine' ? claimedBy(staffId, now) : undefined,
    status === '' ? undefined : eq(application.status, status),
    nationality === '' ? undefined : eq(application.countryCode, nationality),
    service === '' ? undefined : eq(application.service, service),
    search ? searchCondition(search, few) : undefined,
  );
}

/** First moment of the days of application, and the first one after them. */
const daysOf = ({ narrowing: { from, to } }: Wanted) => ({
  since: from === '' ? null : new Date(from),
  until: to === '' ? null : new Date(Date.parse(to) + DAY_MS),
});

function appliedIn(wanted: Wanted): SQL | undefined {
  const { since, until } = daysOf(wanted);
  return and(
    since ? gte(application.createdAt, since) : undefined,
    until ? lt(application.createdAt, until) : undefined,
  );
}

/** The same in the key of those groups that stand newest first: so it is a stretch of their index. */
function appliedInKey(wanted: Wanted): SQL | undefined {
  const { since, until } = daysOf(wanted);
  const key = queueKeySql(application);
  return and(
    since ? sql`${key} <= ${String(-since.getTime())}` : undefined,
    until ? sql`${key} > ${String(-until.getTime())}` : undefined,
  );
}

/** What has to be done is never much; whatever was done or dropped is, and stands newest first. */
const isFew = (group: QueueGroup) => group === 'waiting' || group === 'paused';

/** The groups that a list reads, the few apart from the many. */
function splitGroups(wanted: Wanted) {
  const groups = groupsOf(wanted);
  return [
    { few: true, groups: groups.filter(isFew) },
    { few: false, groups: groups.filter((group) => !isFew(group)) },
  ].filter((part) => part.groups.length > 0);
}

/**
 * A part of a list that stands together in its order. One index gives it in that order, or its groups hold so few that
 * they are read whole.
 */
type Stretch = { part: number; few: boolean; where: SQL | undefined; by: readonly SQL[] };

/** How a list is made of stretches, and by what its rows are told to stand before each other. */
const orders: Record<
  Sorting,
  { part: SQL; by: readonly SQL[]; stretches(wanted: Wanted): Stretch[] }
> = {
  due: {
    part: queueGroupSql(application),
    by: [queueKeySql(application)],
    stretches: (wanted) =>
      groupsOf(wanted).map((group) => ({
        part: queueGroups[group],
        few: isFew(group),
        where: and(
          inGroupSql(application, group),
          isFew(group) ? appliedIn(wanted) : appliedInKey(wanted),
        ),
        by: [queueKeySql(application)],
      })),
  },
  newest: {
    part: sql`0`,
    by: [newestKeySql(application)],
    stretches: (wanted) =>
      orders.due.stretches(wanted).map(({ few, where }) => ({
        part: 0,
        few,
        where,
        // In a group that stands newest first the key is the same, and has the index.
        by: [few ? newestKeySql(application) : queueKeySql(application)],
      })),
  },
  name: {
    part: sql`0`,
    by: [sql`${application.lastName}`, sql`${application.firstName}`],
    stretches: (wanted) =>
      splitGroups(wanted).map(({ few, groups }) => ({
        part: 0,
        few,
        where: and(inGroups(groups), appliedIn(wanted)),
        // Leafing through all names for the few that wait would be the longer way.
        by: few ? orders.name.by.map((name) => sql`(${name} || '')`) : orders.name.by,
      })),
  },
};

const inGroups = (groups: readonly QueueGroup[]): SQL =>
  inArray(
    queueGroupSql(application),
    groups.map((group) => sql.raw(String(queueGroups[group]))),
  );

/** The rows of one page, and whether there are more in front of it and behind it. */
export type QueuePage = { rows: Application[]; hasBefore: boolean; hasAfter: boolean };

/** One page of a list: by what stands behind or before a known application, never by counting rows. */
export async function listApplications(
  db: Queryable,
  { sort, place, ...wanted }: ListFilter,
  looking: Looking,
  pageSize: number,
): Promise<QueuePage> {
  const backwards = place !== null && 'before' in place;
  const at = place ? await placeOf(db, sort, 'before' in place ? place.before : place.after) : null;
  const direction = sql.raw(backwards ? 'desc' : 'asc');
  const beyond = sql.raw(backwards ? '<' : '>');
  const limit = pageSize + 1;
  const found = orders[sort]
    .stretches(wanted)
    .filter(({ part }) => !at || (backwards ? part <= at.part : part >= at.part))
    .map(({ part, few, where, by }) => {
      const order = [...by, sql`${application.id}`];
      const from =
        at?.part === part ? sql`(${list(order)}) ${beyond} (${list(at.values)})` : undefined;
      const names = by.map((one, index) => sql`${one} as ${sql.raw(`v${index}`)}`);
      return sql`(select ${application.id}, ${sql.raw(String(part))} as part, ${list(names)} from ${application}
        where ${and(condition(wanted, looking, few), where, from)}
        order by ${list(order.map((one) => sql`${one} ${direction}`))} limit ${limit})`;
    });
  if (found.length === 0) return { rows: [], hasBefore: at !== null, hasAfter: false };
  const outer = ['part', ...orders[sort].by.map((_, index) => `v${index}`), 'id'];
  const inOrder = list(outer.map((name) => sql`found.${sql.raw(name)} ${direction}`));
  const rows = await db
    .select(getTableColumns(application))
    .from(application)
    .innerJoin(
      sql`(select * from (${sql.join(found, sql` union all `)}) found order by ${inOrder} limit ${limit}) found`,
      sql`found.id = ${application.id}`,
    )
    .orderBy(inOrder);
  const hasMore = rows.length > pageSize;
  const page = rows.slice(0, pageSize);
  return backwards
    ? { rows: page.toReversed(), hasBefore: hasMore, hasAfter: at !== null }
    : { rows: page, hasBefore: at !== null, hasAfter: hasMore };
}

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

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

/** How many a list has, counted up to a limit: nobody reads the last digit of a million. */
export async function countApplications(
  db: Queryable,
  wanted: Wanted,
  looking: Looking,
  limit: number,
): Promise<number> {
  const found = splitGroups(wanted).map(
    ({ few, groups }) => sql`(select 1 from ${application}
      where ${and(condition(wanted, looking, few), inGroups(groups), appliedIn(wanted))} limit ${limit})`,
  );
  if (found.length === 0) return 0;
  const [row] = await db
    .select({ counted: count() })
    .from(sql`(select from (${sql.join(found, sql` union all `)}) part limit ${limit}) found`);
  return row?.counted ?? 0;
}
