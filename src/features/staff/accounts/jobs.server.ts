import { retentionStart } from '~/base/retention-periods.ts';
import { toPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { sealDays } from '../audit/audit-seal.server.ts';
import { deleteSessions } from '../store.server.ts';
import { lt, sql } from 'drizzle-orm';
import { staffAccountChange, staffReset } from '../tables.server.ts';

/** The first UTC day whose audit entries are kept; earlier ones may be deleted. */
export const firstDayOfAuditTrail = (now: Date): PlainDate =>
  toPlainDate(retentionStart('logs', now), UTC);

/** The job that seals; the one that deletes is `deleteExpiredOfStaff`. */
export const staffJobs = (platform: Platform): JobHandlers => ({
  'staff.seal_audit': async () => void (await sealDays(platform)),
});

/** Seals and, after their retention, deletes audit entries and other records of staff; runs daily. */
export async function deleteExpiredOfStaff(
  platform: Pick<Platform, 'now' | 'sealer' | 'log'> & { db: Queryable },
): Promise<void> {
  const now = platform.now();
  // Only sealed days can be deleted.
  await sealDays(platform);
  await deleteEntriesBefore(platform.db, firstDayOfAuditTrail(now));
  await deleteAccountChanges(platform.db, retentionStart('logs', now));
  await deleteSessions(platform.db, retentionStart('staffSession', now));
  await deleteResets(platform.db, retentionStart('passwordLink', now));
}

async function deleteAccountChanges(db: Queryable, before: Date): Promise<void> {
  await db.delete(staffAccountChange).where(lt(staffAccountChange.at, before));
}

/** Deletes links that ended before this moment. */
async function deleteResets(db: Queryable, before: Date): Promise<void> {
  await db.delete(staffReset).where(lt(staffReset.expiresAt, before));
}

/**
 * Deletes whole sealed days before one, which is the only way to delete entries: see the migration. Returns how many.
 */
async function deleteEntriesBefore(db: Queryable, day: PlainDate): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(
    sql`select audit_delete(${day}::date) as count`,
  );
  return Number(rows[0]?.count ?? 0);
}
