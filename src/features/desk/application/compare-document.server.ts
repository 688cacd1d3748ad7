import type { Application } from '~/features/application/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import { numbersOf } from './numbers.server.ts';
import { sameFileElsewhere, uploadById } from './store.server.ts';
import { needsALook, type ComparedFact, type Comparison } from './comparison.ts';
import { matchDocument, writtenInstead } from './match-document.server.ts';
import { auditReveals } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Compares an uploaded PDF with its application; null for an unknown file. */
export async function compareDocument(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  application: Application,
  fileId: string,
): Promise<Comparison | null> {
  const upload = await uploadById(db, fileId);
  if (!upload) return null;
  const usedFor = upload.contentHash
    ? await sameFileElsewhere(db, {
        contentHash: upload.contentHash,
        applicationId: application.id,
      })
    : [];
  const numbers = upload.text && (await numbersOf({ db, sealer }, application));
  if (!upload.text || !numbers) return { match: null, instead: {}, usedFor };
  const { firstName, lastName, dateOfBirth } = application;
  const text = sealer.unsealText(upload.text, `desk_upload.text:${fileId}`);
  const person = { passportNumber: numbers.passport, firstName, lastName, dateOfBirth };
  const match = matchDocument(text, person);
  return { match, instead: writtenInstead(text, person, match), usedFor };
}

/** What the preview shows beside the PDF: the application's facts, and which of them the PDF contains. */
export type ComparisonView = Comparison & {
  needsALook: boolean;
  /** As the application has them: the passport number in full, the birth date as `YYYY-MM-DD`. */
  facts: Record<ComparedFact, string>;
};

/**
 * A PDF beside its application; null for an unknown file. The passport number is shown in full, because nobody can
 * compare a masked one; that is recorded like every other look at it.
 */
export async function showComparison(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  staff: Pick<Staff, 'id'>,
  application: Application,
  fileId: string,
): Promise<ComparisonView | null> {
  const comparison = await compareDocument({ db, sealer }, application, fileId);
  if (!comparison) return null;
  const { firstName, lastName, dateOfBirth } = application;
  const numbers = await numbersOf({ db, sealer }, application);
  if (numbers) await auditReveals(db, staff, [application.id], now());
  return {
    ...comparison,
    needsALook: needsALook(comparison),
    facts: { passportNumber: numbers?.passport ?? '', lastName, firstName, dateOfBirth },
  };
}
