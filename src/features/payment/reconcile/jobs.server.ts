import { z } from 'zod';
import { addDays, toPlainDate, isPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { enqueue, type JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Payments } from '../settlement/context.server.ts';
import { reconcile } from './reconcile.server.ts';
import { firstAttemptMoment, reportsBetween } from './store.server.ts';

/** Days back for which missing or unfinished reports are made (the service may have been off). */
const BACK = 14;

const asked = z.object({ day: z.string().refine(isPlainDate) });

export function reconciliationJobs(platform: Platform, payments: Payments): JobHandlers {
  return {
    'payment.reconcile_days': () => askForReports(platform, payments),
    'payment.reconcile': async (payload) => {
      const day = asked.parse(payload).day;
      const reports = await reconcile(platform, payments, day);
      // The unfinished report is stored; the failing job is retried with growing pauses.
      const silent = reports.filter(({ unanswered }) => unanswered > 0);
      if (silent.length > 0) {
        const names = silent.map(({ provider }) => provider).join(', ');
        throw new Error(`Reconciliation of ${day}: not all answers of ${names}`);
      }
    },
  };
}

/** Enqueues one day's comparison; asking twice makes one job. */
export const askForReport = (db: Queryable, day: PlainDate): Promise<void> =>
  enqueue(db, 'payment.reconcile', { day }, { key: `reconcile:${day}` });

/** Yesterday, and every day of the last two weeks with a missing or unfinished report. */
async function askForReports(platform: Platform, { providers }: Payments): Promise<void> {
  const { db } = platform;
  const first = await firstAttemptMoment(db);
  if (!first) return;
  const last = addDays(toPlainDate(platform.now(), UTC), -1);
  const from = addDays(last, 1 - BACK);
  const began = toPlainDate(first, UTC);
  const reports = await reportsBetween(db, from, last);
  for (let day = began > from ? began : from; day <= last; day = addDays(day, 1)) {
    const own = reports.filter((report) => report.day === day);
    const isWhole =
      own.every(({ finishedAt }) => finishedAt !== null) &&
      providers.every(({ name }) => own.some(({ provider }) => provider === name));
    if (!isWhole) await askForReport(db, day);
  }
}
