import { and, between, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { queueGroups, type QueueGroup } from '~/features/application/queue-group.ts';
import {
  inGroupSql,
  newestKeySql,
  queueGroupSql,
  queueKeySql,
} from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { uncheckedAnswersSql } from '~/features/application/corrected-mark.server.ts';
import { claimedBy } from '~/features/application/claim/claim-store.server.ts';
import type { ListFilter, Sorting } from './list-filter.ts';
import { groupsOf } from './list-groups.ts';

/** Who reads the list, and when: needed for one's own and for late applications. */
export type ListReader = { staffId: string; now: Date };

export type ListQuery = Omit<ListFilter, 'place' | 'sort'>;

const DAY_MS = 24 * 3600_000;

/** The same condition in a form that no index matches. */
export const unindexed = (condition: SQL): SQL => sql`(${condition}) is true`;

/** The same text in a form whose order no index has. */
const unordered = (column: PgColumn): SQL => sql`(${column} || '')`;

/** The conditions of a list, without search, groups and days of application. */
export const condition = (wanted: ListQuery, looking: ListReader): SQL | undefined =>
  and(ofKind(wanted), ofState(wanted, looking), chosen(wanted, looking));

export const ofKind = ({ kind }: ListQuery): SQL => eq(application.kind, kind);

/** Conditions that no index in a list's order begins with. */
function ofState({ show, narrowing: { status } }: ListQuery, { now }: ListReader): SQL | undefined {
  return and(
    show === 'overdue' ? lt(queueKeySql(application), String(now.getTime())) : undefined,
    // Written so that the index of pending applications, in another order, is not used.
    status === '' ? undefined : between(application.status, status, status),
  );
}

/** The same, in a form that no index matches. */
export const unindexedState = (wanted: ListQuery, looking: ListReader): SQL =>
  unindexed(and(ofKind(wanted), ofState(wanted, looking)) ?? sql`true`);

/** Conditions that indexes begin with. */
export const chosen = (wanted: ListQuery, looking: ListReader): SQL | undefined =>
  and(...choices(wanted, looking));

/** The first of these that an index in the queue's order begins with. */
export const firstChosen = (wanted: ListQuery, looking: ListReader): SQL | undefined =>
  choices(wanted, looking)[0];

const choices = (
  { show, narrowing: { nationality, service } }: ListQuery,
  { staffId, now }: ListReader,
): SQL[] => [
  ...(show === 'mine' ? [claimedBy(staffId, now)] : []),
  // They are few, so they are looked up first.
  ...(show === 'corrected' ? [sql`${application.id} = any(array(${uncheckedAnswersSql}))`] : []),
  ...(nationality === '' ? [] : [eq(application.countryCode, nationality)]),
  ...(service === '' ? [] : [sql`${application.service} = ${service}`]),
];

/** The first moment of the days of application, and the first one after them. */
const daysOf = ({ narrowing: { from, to } }: ListQuery) => ({
  since: from === '' ? null : new Date(from),
  until: to === '' ? null : new Date(Date.parse(to) + DAY_MS),
});

/** Applications submitted in these days. */
export function appliedIn(wanted: ListQuery): SQL | undefined {
  const { since, until } = daysOf(wanted);
  return and(
    since ? gte(application.createdAt, since) : undefined,
    until ? lt(application.createdAt, until) : undefined,
  );
}

/** The same on the sort key of groups that are sorted newest first, so that it is one range of their index. */
function appliedInKey(wanted: ListQuery): SQL | undefined {
  const { since, until } = daysOf(wanted);
  const key = queueKeySql(application);
  return and(
    since ? sql`${key} <= ${String(-since.getTime())}` : undefined,
    until ? sql`${key} > ${String(-until.getTime())}` : undefined,
  );
}

/** Open applications are few; decided and closed ones are many, and sorted newest first. */
const isFew = (group: QueueGroup) =>
  group === 'waiting' || group === 'undelivered' || group === 'paused';

/** The groups that a list reads, small ones apart from large ones. */
export function splitGroups(wanted: ListQuery): { few: boolean; groups: readonly QueueGroup[] }[] {
  const groups = groupsOf(wanted);
  return [
    { few: true, groups: groups.filter(isFew) },
    { few: false, groups: groups.filter((group) => !isFew(group)) },
  ].filter((part) => part.groups.length > 0);
}

/**
 * A contiguous part of a list in its order. One index has that order, or its groups are small enough to be read
 * completely.
 */
export type Partition = {
  part: number;
  few: boolean;
  where: SQL | undefined;
  /** The conditions that this index covers: below it every row is one of the list. */
  indexed: SQL | undefined;
  by: readonly SQL[];
};

/** How a list is made of partitions, and its sort keys. */
export const orders: Record<
  Sorting,
  { part: SQL; by: readonly SQL[]; partitions(wanted: ListQuery, looking: ListReader): Partition[] }
> = {
  due: {
    part: queueGroupSql(application),
    by: [queueKeySql(application)],
    partitions: (wanted, looking) =>
      groupsOf(wanted).map((group) => {
        const days = isFew(group) ? appliedIn(wanted) : appliedInKey(wanted);
        const where = and(inGroupSql(application, group), days);
        return {
          part: queueGroups[group],
          few: isFew(group),
          where,
          indexed: and(ofKind(wanted), where, firstChosen(wanted, looking)),
          by: [queueKeySql(application)],
        };
      }),
  },
  newest: {
    part: sql`0`,
    by: [newestKeySql(application)],
    partitions: (wanted, looking) =>
      orders.due.partitions(wanted, looking).map(({ few, where, indexed }) => ({
        part: 0,
        few,
        where,
        indexed,
        // In a group sorted newest first the key is the same, and indexed.
        by: [few ? newestKeySql(application) : queueKeySql(application)],
      })),
  },
  name: {
    part: sql`0`,
    by: [sql`${application.lastName}`, sql`${application.firstName}`],
    partitions: (wanted) =>
      splitGroups(wanted).map(({ few, groups }) => ({
        part: 0,
        few,
        where: and(inGroups(groups), appliedIn(wanted)),
        indexed: ofKind(wanted),
        // Scanning all names would take longer than sorting the few open ones.
        by: few
          ? [unordered(application.lastName), unordered(application.firstName)]
          : orders.name.by,
      })),
  },
};

export const inGroups = (groups: readonly QueueGroup[]): SQL =>
  inArray(
    queueGroupSql(application),
    groups.map((group) => sql.raw(String(queueGroups[group]))),
  );
