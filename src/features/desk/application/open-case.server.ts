import type { Language } from '~/base/languages.ts';
import type { Application } from '~/features/application/store.server.ts';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { caseBase } from './case-base.server.ts';
import { holderNamed, type Holder } from './claim.server.ts';
import { describe, type Detail } from './detail.server.ts';
import { markOf } from './mark.server.ts';
import { loadCaseFile, type CaseFile } from './case-file.server.ts';

/** The data of an application's page, and a hash that changes with any of it. */
export type OpenCase = {
  application: Detail;
  caseFile: CaseFile;
  holder: Holder | null;
  mark: string;
};

/**
 * Loads the data of an application's page for one of the staff. It is personal: the caller records the view in the
 * audit trail by `auditOpened`.
 */
export async function openCase(
  platform: Platform,
  staff: Staff,
  found: Application,
  language: Language,
): Promise<OpenCase> {
  const base = await caseBase(platform, found);
  const [holder, caseFile, application] = await Promise.all([
    found.decidedAt || !base.claim ? null : holderNamed(platform.db, staff, base.claim),
    loadCaseFile(platform, found, { base, language }),
    describe(platform, found, { language, reveal: false, comparesChanges: true, base }),
  ]);
  // Left out of the hash: the id of the next note, which is random, and the reader's own claim.
  const { nextNote: _, claim: __, ...known } = caseFile;
  const mark = markOf({ application, caseFile: known, holder: holder?.name ?? null });
  return { holder, caseFile, application, mark };
}

/** Records that one of the staff saw an opened application, and the numbers that it shows in full. */
export async function auditOpened(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  { application: { id, showsNumbers } }: Pick<OpenCase, 'application'>,
): Promise<void> {
  await auditViews(db, staff, [id], now());
  if (showsNumbers) await auditReveals(db, staff, [id], now());
}
