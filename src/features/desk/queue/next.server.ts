import { and, ne, or, sql, type SQL } from 'drizzle-orm';
import {
  dropOwnClaim,
  isUnclaimedSql,
  takeClaim,
  deleteStaffLooks,
  LOOK_MS,
  isUnseenSql,
  storeLook,
} from '~/features/application/claim-store.server.ts';
import type { QueueGroup } from '~/features/application/queue-group.ts';
import { inGroupSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { CLAIM_MS } from '../application/claim.server.ts';
import {
  filterQuery,
  countNarrowing,
  workListNames,
  type QueueKind,
  type ListFilter,
} from './list-filter.ts';
import { readListQuery } from './open-search.server.ts';
import {
  hasPdfSql,
  inHand,
  chaseMoment,
  isHandedInBeforeSql,
  isInWorkListSql,
  isPutOffSql,
  kindCondition,
  listedGroups,
  isSubmittedInDays,
  listCondition,
  orders,
  type ListQuery,
  matchCondition,
} from './list-query.server.ts';

/** Which list somebody goes through; its place does not matter. */
type NextList = Omit<ListFilter, 'place'>;

/**
 * What the next application of a list is. `round`: this person has looked at all that are free. `nothing`: none is free.
 */
type NextApplication = { number: string; kind: QueueKind } | 'round' | 'nothing';

/** People who may take the next one at the same moment and still get the most urgent ones. */
const MAX_TAKERS = 30;

/**
 * The queue without filters is gone through in both kinds, so that no due insurance waits behind the visa tab. A list
 * with filters, a search or another order is what it says.
 */
function partsOf(list: NextList): Part[] {
  const isWholeQueue =
    list.sort === 'due' && list.search === null && countNarrowing(list.narrowing) === 0;
  const kinds: readonly QueueKind[] = isWholeQueue ? ['visa', 'insurance'] : [list.kind];
  return kinds.flatMap((kind) => {
    const wanted = { ...list, kind };
    const groups = listedGroups(wanted);
    return inHand.filter((one) => groups.includes(one)).map((group) => ({ wanted, group }));
  });
}

/** One list and one part of the queue, which an index has in the queue's order. */
type Part = { wanted: ListQuery; group: QueueGroup };

type Asking = {
  staffId: string;
  now: Date;
  chaseBefore: Date;
  afterLooks: boolean;
  not: string | null;
};

/**
 * What a person can do something about: a PDF that somebody else added is theirs to deliver, and what the authority has
 * waits for it until staff have to ask, unless the list is of those.
 */
function canBeWorkedOn({ staffId, chaseBefore }: Asking, { wanted, group }: Part): SQL | undefined {
  const { kind, show } = wanted;
  const lists = workListNames(kind).map((one) =>
    and(
      isInWorkListSql(one, kind),
      one === 'at_authority' && show !== one
        ? isHandedInBeforeSql(sql`${chaseBefore.toISOString()}::timestamptz`)
        : undefined,
    ),
  );
  return and(
    kindCondition(wanted),
    inGroupSql(application, group),
    sql`(not ${hasPdfSql()} or ${hasPdfSql(staffId)})`,
    or(...lists),
  );
}

/** The first of the list that is free, in the list's order; null for none. */
function firstFree(db: Queryable, list: NextList, asking: Asking) {
  const { staffId, now, afterLooks, not } = asking;
  const parts = partsOf(list);
  if (parts.length === 0) return null;
  const keys = orders[list.sort].by;
  const names = keys.map((_, index) => sql.raw(`v${index}`));
  const found = parts.map(
    (part) =>
      sql`(select ${application.id}, ${sql.join(
        keys.map((key, index) => sql`${key} as ${names[index]}`),
        sql`, `,
      )} from ${application} where ${and(
        listCondition(part.wanted, { staffId, now }),
        canBeWorkedOn(asking, part),
        isSubmittedInDays(part.wanted),
        part.wanted.search ? matchCondition(part.wanted.search) : undefined,
        not === null ? undefined : ne(application.id, not),
        sql`not ${isPutOffSql(now)}`,
        isUnclaimedSql(staffId, now),
        afterLooks ? isUnseenSql({ staffId, since: new Date(now.getTime() - LOOK_MS) }) : undefined,
      )} order by ${sql.join([...keys, sql`${application.id}`], sql`, `)} limit ${MAX_TAKERS})`,
  );
  const order = [...names.map((name) => sql`found.${name}`), sql`found.id`];
  return (
    db
      .select({ id: application.id, number: application.number, kind: application.kind })
      .from(application)
      .innerJoin(
        sql`(${sql.join(found, sql` union all `)}) found`,
        sql`found.id = ${application.id}`,
      )
      // Again, because a row that has changed meanwhile is checked by these conditions alone once it is locked.
      .where(or(...parts.map((part) => canBeWorkedOn(asking, part))))
      .orderBy(...order)
      .limit(1)
  );
}

/** What `claimNext` would find now, without a claim. `not`: as there. Reads only. */
export async function peekNext(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  list: NextList,
  { not = null, afterLooks = true }: { not?: string | null; afterLooks?: boolean } = {},
): Promise<{ id: string; number: string; kind: QueueKind } | null> {
  const at = now();
  const chaseBefore = await chaseMoment(db, at);
  const asking = { staffId: staff.id, now: at, chaseBefore, afterLooks, not };
  const [row] = (await firstFree(db, list, asking)) ?? [];
  return row ?? null;
}

/**
 * Claims the first application of a list that is free and that this person has not looked at for `LOOK_MS`, so that
 * asking again and again leads once around the list; two who ask at once get two. `not`: the id of the open one, which is
 * passed over: it is looked at, and free for others again unless it was assigned. `again`: begins another round.
 */
export async function claimNext(
  platform: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  { list, not, again = false }: { list: NextList; not: string | null; again?: boolean },
): Promise<NextApplication> {
  const { db, now } = platform;
  const at = now();
  const { id: staffId } = staff;
  if (again) await deleteStaffLooks(db, staffId);
  if (not !== null) {
    await storeLook(db, { applicationId: not, staffId, at });
    await dropOwnClaim(db, { applicationId: not, staffId });
  }
  const chaseBefore = await chaseMoment(db, at);
  for (;;) {
    const found = await db.transaction(async (tx) => {
      const asking = { staffId, now: at, chaseBefore, afterLooks: true, not };
      const locked = firstFree(tx, list, asking)?.for('no key update', {
        of: application,
        skipLocked: true,
      });
      const [free] = (await locked) ?? [];
      if (!free) return null;
      const expiresAt = new Date(at.getTime() + CLAIM_MS);
      const held = await takeClaim(tx, { applicationId: free.id, staffId, now: at, expiresAt });
      const isMine = held.staffId === staffId;
      if (isMine) await storeLook(tx, { applicationId: free.id, staffId, at });
      return { ...free, isMine };
    });
    // Somebody else's claim was stored between reading and locking: try the next.
    if (found && !found.isMine) continue;
    if (found) return { number: found.number, kind: found.kind };
    const left = await peekNext(platform, staff, list, { afterLooks: false });
    return left ? 'round' : 'nothing';
  }
}

/** Why a list has no next application, as its address says it. */
export const NO_NEXT = 'none';

/**
 * Claims the next application of a list, by `claimNext`, and returns its address beside that list; of the list itself,
 * with the reason, where there is none. `list`: the list's query.
 */
export async function nextAddress(
  platform: Platform,
  staff: Staff,
  { list, ...wanted }: { list: URLSearchParams; not: string | null; again?: boolean },
): Promise<string> {
  const { filter, sealedSearch } = readListQuery(platform, list);
  const next = await claimNext(platform, staff, { list: filter, ...wanted });
  const { search: _, ...shown } = { ...filter, sealedSearch, place: null };
  if (typeof next === 'string') {
    const query = new URLSearchParams(filterQuery(shown));
    query.set(NO_NEXT, next);
    return `/admin?${query}`;
  }
  return `/admin/applications/${next.number}${filterQuery({ ...shown, kind: next.kind })}#application`;
}
