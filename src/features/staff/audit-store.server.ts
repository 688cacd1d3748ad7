import { and, asc, desc, eq, gt, gte, lt, notInArray, or, sql, type SQL } from 'drizzle-orm';
import type { Place } from '~/base/cursor.ts';
import { addDays, type PlainDate } from '~/base/dates/dates.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { viewingActions, type AuditAction } from './audit-words.ts';
import { auditEntry, staffAccount } from './tables.server.ts';

export type AuditEntry = typeof auditEntry.$inferSelect;

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);

const within = (day: PlainDate): SQL | undefined =>
  and(gte(auditEntry.at, midnight(day)), lt(auditEntry.at, midnight(addDays(day, 1))));

/** The number of entries from a UTC day on. */
export const countAuditEntries = (db: Queryable, day: PlainDate): Promise<number> =>
  db.$count(auditEntry, gte(auditEntry.at, midnight(day)));

/** Entries of one UTC day in order of their numbers. */
export async function auditEntriesByDay(
  db: Queryable,
  day: PlainDate,
  { after, limit }: { after: number; limit: number },
): Promise<AuditEntry[]> {
  return db
    .select()
    .from(auditEntry)
    .where(and(within(day), gt(auditEntry.id, after)))
    .orderBy(asc(auditEntry.id))
    .limit(limit);
}

export type AuditQuery = {
  staffId: string | null;
  /** Null for all, of which those that only say who saw something are left out unless `withViews`. */
  action: AuditAction | null;
  withViews: boolean;
  day: PlainDate | null;
  /** Subjects of entries, any of these; null for all. */
  subjects: readonly { kind: string; ids: readonly string[] }[] | null;
};

/** Entries newest first after a cursor, or, backwards, oldest first before it. */
export async function searchEntries(
  db: Queryable,
  { staffId, action, withViews, day, subjects }: AuditQuery,
  { cursor, backwards, limit }: Place,
): Promise<AuditEntry[]> {
  const { at, id } = auditEntry;
  const place = cursor && /^\d{1,15}$/.test(cursor.id) ? cursor : null;
  const sign = backwards ? sql`>` : sql`<`;
  return db
    .select()
    .from(auditEntry)
    .where(
      and(
        staffId ? eq(auditEntry.staffId, staffId) : undefined,
        action ? eq(auditEntry.action, action) : undefined,
        action || withViews ? undefined : notInArray(auditEntry.action, [...viewingActions]),
        day ? within(day) : undefined,
        subjects
          ? or(
              ...subjects.map(({ kind, ids }) =>
                and(
                  eq(auditEntry.subjectKind, kind),
                  sql`${auditEntry.subjectId} = any(${sql.param([...ids])}::text[])`,
                ),
              ),
            )
          : undefined,
        place
          ? sql`(${at}, ${id}) ${sign} (${place.at.toISOString()}::timestamptz, ${Number(place.id)})`
          : undefined,
      ),
    )
    .orderBy(...(backwards ? [asc(at), asc(id)] : [desc(at), desc(id)]))
    .limit(limit);
}

/** Every account that may occur in the trail, by name. */
export const accountsByName = (db: Queryable) =>
  db
    .select({ id: staffAccount.id, name: staffAccount.name })
    .from(staffAccount)
    .orderBy(asc(staffAccount.name), asc(staffAccount.id));
