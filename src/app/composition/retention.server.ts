import { forgetApplications } from '~/features/application/retention/delete-expired.server.ts';
import type { ForgetAnswers } from '~/features/application/retention/delete-expired-store.server.ts';
import { forgetDismissals } from '~/features/desk/case-file/duplicate-store.server.ts';
import { forgetEmailCorrections } from '~/features/desk/case-file/email-correction-store.server.ts';
import { forgetNotes } from '~/features/desk/case-file/note-store.server.ts';
import { forgetInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { retentionAt } from '~/features/site/policy/retention.server.ts';
import { forgetVisaDetails } from '~/features/visa/store/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/**
 * Keeps what the data protection page promises: applications are deleted so many years after their last event. Drafts,
 * links, e-mails and staff traces have jobs of their own; the ledger outlives the applications it paid for.
 */
export async function enforceRetention(platform: Platform): Promise<void> {
  const years = retentionAt(await readSettings(platform.db), platform.now());
  const before = (count: number): Date => {
    const moment = platform.now();
    moment.setUTCFullYear(moment.getUTCFullYear() - count);
    return moment;
  };
  const visas = await forgetApplications(
    platform,
    'visa',
    before(years.visa),
    withDossier(forgetVisaDetails),
  );
  const insurances = await forgetApplications(
    platform,
    'insurance',
    before(years.insurance),
    withDossier(forgetInsuranceDetails),
  );
  if (visas + insurances > 0) platform.log.info({ visas, insurances }, 'old applications deleted');
}

/** What staff wrote about an application goes with it. */
export const withDossier =
  (forgetAnswers: ForgetAnswers): ForgetAnswers =>
  async (tx, applicationIds) => {
    await forgetNotes(tx, applicationIds);
    await forgetEmailCorrections(tx, applicationIds);
    await forgetDismissals(tx, applicationIds);
    return forgetAnswers(tx, applicationIds);
  };
