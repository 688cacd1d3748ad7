import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { CERTIFICATE_JOB, issueCertificate } from './certificate-job.server.ts';

/** The background jobs of insurance. */
export function insuranceJobs(platform: Platform): JobHandlers {
  return {
    [CERTIFICATE_JOB]: (payload) => issueCertificate(platform, payload),
  };
}
