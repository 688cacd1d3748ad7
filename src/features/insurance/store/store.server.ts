import { eq, inArray, isNull, and, asc } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import { storeReplacedPassport } from '~/features/application/correction/correction-store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { newRow, type NewRow } from '~/platform/postgres/store-together.server.ts';
import { insuranceApplication, insurancePhoto, insuranceTerms } from './tables.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { InsuranceAnswers } from '../rules/answers.ts';
import type { Language } from '~/base/languages.ts';
import type { CoverView } from '~/features/application/cover-table.tsx';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { coverLimit, coverTitle, type Terms } from '../rules/terms.ts';

export type InsuranceRow = typeof insuranceApplication.$inferSelect;

/** An insurance application's own answers, with its document number decrypted. */
export type InsuranceDetails = Omit<
  InsuranceRow,
  'passportNumber' | 'passportHash' | 'verifyHash'
> & {
  passportNumber: string;
};

const PASSPORT = 'insurance_application.passport_number';

/**
 * The code on the certificate, derived from the application's id and our key. It is not stored, so that access to the
 * database is not enough to print certificates that verify.
 */
export const makeVerifyCode = (sealer: Sealer, applicationId: string): string =>
  codeFrom(sealer.keyedHash(applicationId, VERIFY));

const VERIFY = 'insurance.verify';
const codeFrom = (hash: Buffer): string => hash.subarray(0, 16).toString('base64url');

/** The code of an application that may be older than the newest look-up key: its certificate verifies by that one. */
export async function storedVerifyCode(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<string> {
  const [row] = await db
    .select({ hash: insuranceApplication.verifyHash })
    .from(insuranceApplication)
    .where(eq(insuranceApplication.applicationId, applicationId));
  const codes = sealer.keyedHashes(applicationId, VERIFY).map(codeFrom);
  const code = codes.find((one) => row?.hash.equals(hashToken(one)));
  if (code === undefined) throw new Error('The code on the certificate is of no configured key');
  return code;
}

/** The row of a new application's own answers. */
export function insuranceDetailsRow(
  sealer: Sealer,
  { passportNumber, ...rest }: Omit<InsuranceDetails, 'cancelledAt'>,
): NewRow {
  const id = rest.applicationId;
  return newRow(insuranceApplication, {
    ...rest,
    passportNumber: sealer.seal(passportNumber, `${PASSPORT}:${id}`),
    passportHash: sealer.keyedHash(passportNumber, PASSPORT),
    verifyHash: hashToken(makeVerifyCode(sealer, id)),
  });
}

/** Replaces the answers of an application, after a correction. */
export async function replaceInsuranceDetails(
  tx: Transaction,
  sealer: Sealer,
  { passportNumber, applicationId, ...rest }: InsuranceDetails,
): Promise<void> {
  const [before] = await tx
    .select({ hash: insuranceApplication.passportHash })
    .from(insuranceApplication)
    .where(eq(insuranceApplication.applicationId, applicationId));
  const after = sealer.keyedHash(passportNumber, PASSPORT);
  await storeReplacedPassport(tx, { applicationId, before: before?.hash, after });
  await tx
    .update(insuranceApplication)
    .set({
      ...rest,
      passportNumber: sealer.seal(passportNumber, `${PASSPORT}:${applicationId}`),
      passportHash: after,
    })
    .where(eq(insuranceApplication.applicationId, applicationId));
}

/** The answers of several insurances by application, with the numbers still sealed. */
export async function insuranceRows(
  db: Queryable,
  applicationIds: string[],
): Promise<Map<string, InsuranceRow>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(insuranceApplication)
    .where(inArray(insuranceApplication.applicationId, applicationIds));
  return new Map(rows.map((row) => [row.applicationId, row]));
}

/** Decrypts the number. Whoever shows it in full must record that in the audit trail. */
export function openInsurance(
  sealer: Sealer,
  { passportHash: _, verifyHash: __, ...row }: InsuranceRow,
): InsuranceDetails {
  const context = `${PASSPORT}:${row.applicationId}`;
  return { ...row, passportNumber: sealer.unsealText(row.passportNumber, context) };
}

/** `openInsurance` by the application's id. */
export async function readInsuranceDetails(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<InsuranceDetails | null> {
  const row = (await insuranceRows(db, [applicationId])).get(applicationId);
  return row ? openInsurance(sealer, row) : null;
}

/** Locks an insurance until the transaction ends, so that two jobs do not issue its certificate twice. */
export async function lockInsurance(tx: Transaction, applicationId: string): Promise<void> {
  await tx
    .select({ id: insuranceApplication.applicationId })
    .from(insuranceApplication)
    .where(eq(insuranceApplication.applicationId, applicationId))
    .for('no key update');
}

/** The same for those among an order's applications. */
export async function lockInsurances(
  tx: Transaction,
  together: readonly Pick<Application, 'id' | 'kind'>[],
): Promise<void> {
  for (const { id, kind } of together) if (kind === 'insurance') await lockInsurance(tx, id);
}

/** The insurances among several application numbers. */
export async function insurancesNumbered(
  db: Queryable,
  numbers: string[],
): Promise<{ id: string; isMinor: boolean }[]> {
  if (numbers.length === 0) return [];
  return db
    .select({ id: application.id, isMinor: insuranceApplication.isMinor })
    .from(application)
    .innerJoin(insuranceApplication, eq(insuranceApplication.applicationId, application.id))
    .where(inArray(application.number, numbers));
}

/** The insurance of a certificate's code; null for an unknown code. */
export async function certificateWithCode(db: Queryable, code: string) {
  const [row] = await db
    .select({
      firstName: application.firstName,
      lastName: application.lastName,
      status: application.status,
      from: application.startsOn,
      until: insuranceApplication.coverUntil,
      cancelledAt: insuranceApplication.cancelledAt,
    })
    .from(insuranceApplication)
    .innerJoin(application, eq(application.id, insuranceApplication.applicationId))
    .where(eq(insuranceApplication.verifyHash, hashToken(code)));
  return row ?? null;
}

/** Returns false where it was cancelled before. */
export async function markCancelled(
  tx: Transaction,
  applicationId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(insuranceApplication)
    .set({ cancelledAt: at })
    .where(
      and(
        eq(insuranceApplication.applicationId, applicationId),
        isNull(insuranceApplication.cancelledAt),
      ),
    )
    .returning({ id: insuranceApplication.applicationId });
  return rows.length > 0;
}

/** Takes back a cancellation of this moment. */
export async function unmarkCancelled(
  tx: Transaction,
  applicationId: string,
  cancelledAt: Date,
): Promise<void> {
  await tx
    .update(insuranceApplication)
    .set({ cancelledAt: null })
    .where(
      and(
        eq(insuranceApplication.applicationId, applicationId),
        eq(insuranceApplication.cancelledAt, cancelledAt),
      ),
    );
}

/** Deletes the answers and photos of expired applications; returns the photos' files. */
export async function deleteInsuranceDetails(
  tx: Transaction,
  applicationIds: string[],
): Promise<string[]> {
  const photos = await tx
    .delete(insurancePhoto)
    .where(inArray(insurancePhoto.applicationId, applicationIds))
    .returning({ fileId: insurancePhoto.fileId });
  await tx
    .delete(insuranceApplication)
    .where(inArray(insuranceApplication.applicationId, applicationIds));
  return photos.map(({ fileId }) => fileId);
}

/** A stored application's answers by the names of the form's questions. */
export const storedAnswers = ({
  application,
  details,
}: {
  application: Application;
  details: InsuranceDetails;
}): InsuranceAnswers => ({
  productId: application.service,
  firstName: application.firstName,
  lastName: application.lastName,
  email: application.email,
  phone: application.phone,
  passportNumber: details.passportNumber,
  nationality: application.countryCode,
  documentType: application.travelDocument,
  placeOfBirth: details.placeOfBirth ?? '',
  travelDate: application.startsOn,
  returnDate: details.returnDate,
  dateOfBirth: application.dateOfBirth,
});

/** Terms as a page shows them beside the price, in its language; without terms the list is empty. */
export function coverView(terms: Terms | null, language: Language): CoverView {
  const t = makeTranslate(language, 'insurance');
  return {
    version: terms?.version ?? null,
    insurer: terms?.insurer ?? null,
    address: terms?.address ?? null,
    licence: terms?.licence ?? null,
    assistancePhone: terms?.assistancePhone ?? null,
    complaintContact: terms?.complaintContact ?? null,
    lines: (terms?.covers ?? []).map((cover) => ({
      code: cover.code,
      title: coverTitle(cover, language, t),
      limit: coverLimit(cover, language, t),
    })),
  };
}

/** The terms that insurances were bought on, each version once; empty for applications of another kind. */
export const boughtCovers = async (
  db: Queryable,
  applicationNumbers: readonly string[],
  language: Language,
): Promise<CoverView[]> =>
  (await termsOfNumbers(db, applicationNumbers)).map((terms) => coverView(terms, language));

/** The terms that insurances were bought on, each version once; other numbers are ignored. */
async function termsOfNumbers(db: Queryable, numbers: readonly string[]): Promise<Terms[]> {
  if (numbers.length === 0) return [];
  const versions = db
    .select({ version: insuranceApplication.termsVersion })
    .from(insuranceApplication)
    .innerJoin(application, eq(application.id, insuranceApplication.applicationId))
    .where(inArray(application.number, [...numbers]));
  return db
    .select()
    .from(insuranceTerms)
    .where(inArray(insuranceTerms.version, versions))
    .orderBy(asc(insuranceTerms.version));
}
