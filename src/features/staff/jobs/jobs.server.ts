import { dateOf, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { sealDays } from '../audit/audit-seal.server.ts';
import { deleteEntriesBefore } from '../audit-store.server.ts';
import { deleteResets } from '../reset/reset-store.server.ts';
import { deleteSessions } from '../store.server.ts';

/** Logs are kept one year (KVKK table), sessions that are over one day. */
const LOG_YEARS = 1;
const SESSION_MS = 24 * 3600_000;

/** Entries of the audit trail from this UTC day on are still kept; of earlier days they may be gone. */
export function firstDayOfAuditTrail(now: Date): PlainDate {
  const moment = new Date(now);
  moment.setUTCFullYear(moment.getUTCFullYear() - LOG_YEARS);
  return dateOf(moment, UTC);
}

/** What staff leave behind is sealed and, in time, forgotten; for daily runs. */
export function staffJobs(platform: Platform): JobHandlers {
  const { db } = platform;
  return {
    'staff.seal_audit': async () => void (await sealDays(platform)),
    'staff.forget': async () => {
      const now = platform.now();
      // Only sealed days can be forgotten.
      await sealDays(platform);
      await deleteEntriesBefore(db, firstDayOfAuditTrail(now));
      await deleteSessions(db, new Date(now.getTime() - SESSION_MS));
      await deleteResets(db, new Date(now.getTime() - SESSION_MS));
    },
  };
}
