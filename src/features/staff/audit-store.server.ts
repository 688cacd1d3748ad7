import { and, asc, desc, eq, gt, gte, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Cursor } from '~/base/cursor.ts';
import { addDays, type PlainDate } from '~/base/dates/dates.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { AuditAction } from './audit-words.ts';
import { auditEntry, auditSeal, staffAccount } from './tables.server.ts';

export type AuditEntry = typeof auditEntry.$inferSelect;

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);

const within = (day: PlainDate): SQL | undefined =>
  and(gte(auditEntry.at, midnight(day)), lt(auditEntry.at, midnight(addDays(day, 1))));

/** Lets one process at a time seal. */
export async function lockSeals(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit_seal', 0))`);
}

/** All seals, oldest first; with the digest of their fingerprints, which may be many. */
export const allSeals = (db: Queryable) =>
  db
    .select({
      day: auditSeal.day,
      entries: auditSeal.entries,
      rows: auditSeal.rows,
      seal: auditSeal.seal,
      prints: sql<string>`encode(sha256(${auditSeal.fingerprints}), 'hex')`,
    })
    .from(auditSeal)
    .orderBy(asc(auditSeal.day));

/** The fingerprints in the seal of a day; null where there is no seal. */
export async function fingerprintsOf(db: Queryable, day: PlainDate): Promise<Buffer | null> {
  const [row] = await db
    .select({ fingerprints: auditSeal.fingerprints })
    .from(auditSeal)
    .where(eq(auditSeal.day, day));
  return row?.fingerprints ?? null;
}

export async function insertSeal(tx: Transaction, row: typeof auditSeal.$inferInsert) {
  await tx.insert(auditSeal).values(row);
}

/** The oldest entry; null where there is none. */
export async function oldestEntry(db: Queryable): Promise<{ id: number; at: Date } | null> {
  const [row] = await db
    .select({ id: auditEntry.id, at: auditEntry.at })
    .from(auditEntry)
    .orderBy(asc(auditEntry.at), asc(auditEntry.id))
    .limit(1);
  return row ?? null;
}

/** The number of entries from a UTC day on. */
export const countEntriesFrom = (db: Queryable, day: PlainDate): Promise<number> =>
  db.$count(auditEntry, gte(auditEntry.at, midnight(day)));

/** Entries of one UTC day in order of their numbers. */
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

/**
 * Deletes whole sealed days before one, which is the only way to delete entries: see the migration. Returns how many.
 */
export async function deleteEntriesBefore(db: Queryable, day: PlainDate): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(
    sql`select audit_delete(${day}::date) as count`,
  );
  return Number(rows[0]?.count ?? 0);
}

export type AuditQuery = {
  staffId: string | null;
  action: AuditAction | null;
  day: PlainDate | null;
  /** Subjects of entries, any of these; null for all. */
  subjects: readonly { kind: string; ids: readonly string[] }[] | null;
};

/** Entries newest first after a cursor, or, backwards, oldest first before it. */
export async function searchEntries(
  db: Queryable,
  { staffId, action, day, subjects }: AuditQuery,
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
