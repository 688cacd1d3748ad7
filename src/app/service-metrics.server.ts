import { countWaiting } from '~/features/application/store.server.ts';
import { deskHub } from '~/features/desk/frame/live-events.server.ts';
import { countOutages } from '~/features/payment/providers/outage.server.ts';
import { countOpenAlerts, countOpenAttempts } from '~/features/payment/settlement/store.server.ts';
import { lastBackup } from '~/platform/backup/backup-store.server.ts';
import type { Admission } from '~/platform/admission/admission.server.ts';
import { countViolations } from './pages/csp-reports.server.ts';
import { countJobs } from '~/platform/jobs/jobs.server.ts';
import type { Metric } from '~/platform/http/metrics.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** The metrics that alerts are set on, shown at `/metrics`. */
export function serviceMetrics(platform: Platform): Metric[] {
  const { db, now } = platform;
  return [
    {
      name: 'lale_applications_waiting',
      help: 'Paid, undecided applications whose clock runs, approved ones without their PDF, and those of both past their promised moment',
      count: () => countWaiting(db, now()),
    },
    {
      name: 'lale_payment_attempts_open',
      help: 'Payment attempts without a final word, by state',
      count: () => countOpenAttempts(db),
    },
    {
      name: 'lale_payment_alerts_open',
      help: 'Payment alerts that nobody has resolved',
      count: () => countOpenAlerts(db),
    },
    {
      name: 'lale_payment_partners_down',
      help: 'Payment partners that begin no payments: 1 for each',
      count: () => countOutages(db),
    },
    {
      name: 'lale_jobs',
      help: 'Jobs that wait, and those of them that failed before',
      count: () => countJobs(db),
    },
    {
      name: 'lale_backup_timestamp_seconds',
      help: 'Moment of the last backup that was written whole, in seconds since 1970; 0 before the first',
      count: async () => ((await lastBackup(db))?.begunAt.getTime() ?? 0) / 1000,
    },
    {
      name: 'lale_backup_missing_files',
      help: 'Files that rows name and the last backup lacks, because the file store did not have them',
      count: async () => (await lastBackup(db))?.missingFiles ?? 0,
    },
    {
      name: 'lale_live_streams',
      help: 'Open pages of the desk that hold a stream of events',
      isOfProcess: true,
      count: () => Promise.resolve(deskHub(platform).count()),
    },
    {
      name: 'lale_csp_violations_total',
      help: 'What browsers reported that the content security policy blocked, by directive',
      isTotal: true,
      isOfProcess: true,
      count: () => Promise.resolve(countViolations(platform)),
    },
  ];
}

/** The requests that are present in this process, and those that it refused. */
export const admissionMetrics = (admission: Admission): Metric[] => [
  {
    name: 'lale_requests_present',
    help: 'Requests that are worked on or wait for it, by kind of work',
    isOfProcess: true,
    count: () => Promise.resolve(admission.present()),
  },
  {
    name: 'lale_requests_refused_total',
    help: 'Requests refused with 503 because too much was asked at once, by kind of work',
    isTotal: true,
    isOfProcess: true,
    count: () => Promise.resolve(admission.refused()),
  },
];
