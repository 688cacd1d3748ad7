import type { JobHandlers } from '~/platform/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { forgetOldTraces } from './store.server.ts';

/** Logs are kept one year (KVKK table), sessions that are over one day. */
const LOG_YEARS = 1;
const SESSION_MS = 24 * 3600_000;

/** What staff leave behind is forgotten in time; for a daily run. */
export function staffJobs(platform: Platform): JobHandlers {
  return {
    'staff.forget': async () => {
      const now = platform.now();
      const audit = new Date(now);
      audit.setUTCFullYear(audit.getUTCFullYear() - LOG_YEARS);
      await forgetOldTraces(platform.db, {
        audit,
        sessions: new Date(now.getTime() - SESSION_MS),
      });
    },
  };
}
