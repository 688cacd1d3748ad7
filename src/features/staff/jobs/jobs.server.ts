import { keptSince } from '~/base/retention-periods.ts';
import { dateOf, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { sealDays } from '../audit/audit-seal.server.ts';
import { deleteEntriesBefore } from '../audit-store.server.ts';
import { deleteResets } from '../reset/reset-store.server.ts';
import { deleteSessions } from '../store.server.ts';

/** The first UTC day whose audit entries are kept; earlier ones may be deleted. */
export const firstDayOfAuditTrail = (now: Date): PlainDate => dateOf(keptSince('logs', now), UTC);

/** Seals and, after their retention, deletes audit entries and other records of staff; runs daily. */
export function staffJobs(platform: Platform): JobHandlers {
  const { db } = platform;
  return {
    'staff.seal_audit': async () => void (await sealDays(platform)),
    'staff.delete_expired': async () => {
      const now = platform.now();
      // Only sealed days can be deleted.
      await sealDays(platform);
      await deleteEntriesBefore(db, firstDayOfAuditTrail(now));
      await deleteSessions(db, keptSince('staffSession', now));
      await deleteResets(db, keptSince('passwordLink', now));
    },
  };
}
