import { keptSince } from '~/base/retention-periods.ts';
import { dateOf, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { sealDays } from '../audit/audit-seal.server.ts';
import { deleteEntriesBefore } from '../audit-store.server.ts';
import { deleteResets } from '../reset/reset-store.server.ts';
import { deleteSessions } from '../store.server.ts';

/** Entries of the audit trail from this UTC day on are still kept; of earlier days they may be gone. */
export const firstDayOfAuditTrail = (now: Date): PlainDate => dateOf(keptSince('logs', now), UTC);

/** What staff leave behind is sealed and, in time, forgotten; for daily runs. */
export function staffJobs(platform: Platform): JobHandlers {
  const { db } = platform;
  return {
    'staff.seal_audit': async () => void (await sealDays(platform)),
    'staff.delete_expired': async () => {
      const now = platform.now();
      // Only sealed days can be forgotten.
      await sealDays(platform);
      await deleteEntriesBefore(db, firstDayOfAuditTrail(now));
      await deleteSessions(db, keptSince('staffSession', now));
      await deleteResets(db, keptSince('passwordLink', now));
    },
  };
}
