import { retentionStart } from '~/base/retention-periods.ts';
import { toPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { sealDays } from '../audit/audit-seal.server.ts';
import { lt, sql } from 'drizzle-orm';
import { staffAccountChange, staffReset, staffSession } from '../tables.server.ts';

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
  const { db } = platform;
  const now = platform.now();
  const startOf = (kind: Parameters<typeof retentionStart>[0]) => retentionStart(kind, now);
  // Only whole sealed days can be deleted, and by this function alone: see the migration.
  await sealDays(platform);
  await db.execute(sql`select audit_delete(${firstDayOfAuditTrail(now)}::date)`);
  await db.delete(staffAccountChange).where(lt(staffAccountChange.at, startOf('logs')));
  await db.delete(staffSession).where(lt(staffSession.expiresAt, startOf('staffSession')));
  await db.delete(staffReset).where(lt(staffReset.expiresAt, startOf('passwordLink')));
}
