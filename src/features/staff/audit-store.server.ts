import { and, asc, desc, eq, gt, gte, lt, min, sql, type SQL } from 'drizzle-orm';
import type { Cursor } from '~/base/cursor.ts';
import { addDays, type PlainDate } from '~/base/dates.ts';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import type { AuditAction } from './audit-words.ts';
import { auditEntry, auditSeal, staffAccount } from './tables.server.ts';

export type AuditEntry = typeof auditEntry.$inferSelect;

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);

const within = (day: PlainDate): SQL | undefined =>
  and(gte(auditEntry.at, midnight(day)), lt(auditEntry.at, midnight(addDays(day, 1))));

/** One sealing at a time, over all processes. */
export async function lockSeals(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit_seal', 0))`);
}

/** All seals, the oldest first. */
export const allSeals = (db: Queryable) => db.select().from(auditSeal).orderBy(asc(auditSeal.day));

export async function insertSeal(tx: Transaction, row: typeof auditSeal.$inferInsert) {
  await tx.insert(auditSeal).values(row);
}

/** The moment of the oldest entry; null where there is none. */
export async function oldestEntryAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.select({ at: min(auditEntry.at) }).from(auditEntry);
  return row?.at ?? null;
}

/** Entries of one UTC day in the order in which they were numbered. */
export async function entriesOfDay(
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

/** Deletes whole sealed days before one, the only way in which entries go: see the migration. Returns how many. */
export async function forgetEntriesBefore(db: Queryable, day: PlainDate): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(
    sql`select audit_forget(${day}::date) as count`,
  );
  return Number(rows[0]?.count ?? 0);
}

export type AuditQuery = {
  staffId: string | null;
  action: AuditAction | null;
  day: PlainDate | null;
  subject: { kind: string; ids: readonly string[] } | null;
};

/** Entries newest first after a cursor, or, backwards, oldest first before it. */
export async function searchEntries(
  db: Queryable,
  { staffId, action, day, subject }: AuditQuery,
  { cursor, backwards, limit }: { cursor: Cursor | null; backwards: boolean; limit: number },
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
        day ? within(day) : undefined,
        subject
          ? and(
              eq(auditEntry.subjectKind, subject.kind),
              sql`${auditEntry.subjectId} = any(${sql.param([...subject.ids])}::text[])`,
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

/** Every account that may stand in the trail, by name. */
export const accountsByName = (db: Queryable) =>
  db
    .select({ id: staffAccount.id, name: staffAccount.name })
    .from(staffAccount)
    .orderBy(asc(staffAccount.name), asc(staffAccount.id));
