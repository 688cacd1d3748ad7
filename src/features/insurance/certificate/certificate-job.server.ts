import type { Office } from '~/base/dates/office.ts';
import {
  startClock,
  addEvent,
  applicationById,
  attachDocument,
  changeStatus,
  currentDocument,
  type Application,
} from '~/features/application/store.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import {
  insurancesNumbered,
  readInsuranceDetails,
  lockInsurance,
  markCancelled,
  type InsuranceDetails,
  storedVerifyCode,
} from '../store/store.server.ts';
import { type JobHandlers, enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform, WithoutPool } from '~/platform/platform.server.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isFinal } from '~/features/application/status-machine.ts';
import { addToEmail, queueEmail } from '~/features/email/ledger/store.server.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { removeFiles } from '~/platform/files/files.server.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { toPlainDate, parseDate, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import { isLanguage } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import type { CertificateFacts } from './certificate.server.tsx';
import { addWorkingHours, wholeMinute } from '~/base/dates/working-hours.ts';
import type { Terms } from '../rules/terms.ts';
import { termsByVersion } from '../store/plan-store.server.ts';

const CERTIFICATE_JOB = 'insurance.certificate';

/**
 * Queues the certificate's job in the caller's transaction: after payment, approval or cancellation. `delayMs`: for an
 * approval that may be undone so long.
 */
export function orderCertificate(
  tx: Transaction,
  applicationId: string,
  delayMs?: number,
): Promise<void> {
  const key = `certificate:${applicationId}`;
  const options = delayMs === undefined ? { key } : { key, delayMs };
  return enqueue(tx, CERTIFICATE_JOB, { applicationId }, options);
}

/**
 * Cancels an insurance: its code is reported as cancelled from now on, and a certificate that was delivered is replaced
 * by one that says so. Returns false where it was cancelled before.
 */
export async function cancelInsurance(
  tx: Transaction,
  applicationId: string,
  at: Date,
): Promise<boolean> {
  const isFirst = await markCancelled(tx, applicationId, at);
  if (isFirst && (await currentDocument(tx, applicationId))) {
    await orderCertificate(tx, applicationId);
  }
  return isFirst;
}

const payload = z.object({ applicationId: z.uuid() });

type Insurance = { found: Application; details: InsuranceDetails };

/**
 * Makes and delivers the certificate where one is due; for a paid adult this also approves the application
 * automatically. Running it again does nothing. The decision's email is queued in the same transaction.
 */
export async function issueCertificate(platform: Platform, job: unknown): Promise<void> {
  const { applicationId } = payload.parse(job);
  const before = await readInsurance(platform, applicationId);
  const isDue = before !== null && (await dueOf(platform.db, before)) !== 'nothing';
  if (!isDue) return;
  // Drawing needs a large library: loaded only in the process that runs jobs.
  const { drawCertificate } = await import('./certificate.server.tsx');
  const pdf = await drawCertificate(await certificateFacts(platform, before.found, before.details));
  const file = await platform.files.put(pdf, { mediaType: 'application/pdf' });
  let isDelivered = false;
  try {
    isDelivered = await platform.db.transaction((tx) => deliver(tx, platform, applicationId, file));
  } finally {
    if (!isDelivered) await removeFiles(platform, [file.id]);
  }
}

type Due = 'approval' | 'certificate' | 'cancellation' | 'nothing';

async function dueOf(
  db: Parameters<typeof currentDocument>[0],
  { found, details }: Insurance,
): Promise<Due> {
  const document = await currentDocument(db, found.id);
  if (details.cancelledAt) {
    return document && document.createdAt < details.cancelledAt ? 'cancellation' : 'nothing';
  }
  if (found.status === 'approved') return document ? 'nothing' : 'certificate';
  const isOurs = !isFinal(found.status) && found.paidAt !== null && !details.isMinor;
  return isOurs ? 'approval' : 'nothing';
}

async function deliver(
  tx: Transaction,
  { sealer, now }: WithoutPool,
  applicationId: string,
  file: { id: string; size: number },
): Promise<boolean> {
  await lockInsurance(tx, applicationId);
  const found = await applicationById(tx, applicationId);
  const details = await readInsuranceDetails(tx, sealer, applicationId);
  if (!found || !details) return false;
  const due = await dueOf(tx, { found, details });
  if (due === 'nothing') return false;
  const at = now();
  if (due === 'approval') {
    const change = { id: found.id, from: found.status, to: 'approved', at, staffId: null } as const;
    // Somebody decided in the meantime: that decision stays.
    if (!(await changeStatus(tx, change))) return false;
  }
  await attachDocument(tx, {
    id: randomUUID(),
    applicationId,
    fileId: file.id,
    mediaType: 'application/pdf',
    size: file.size,
    createdAt: at,
    staffId: null,
  });
  await addEvent(tx, { applicationId, kind: 'document_attached', at });
  // The email of an approval: by staff before, or by this job.
  if (due !== 'cancellation' && (details.isMinor || !(await isToldWithReceipt(tx, found))))
    await queueEmail(tx, { kind: 'approved', about: found.id, createdAt: at });
  return true;
}

/** Whether the email that confirms the payment, to the same person and not written yet, has the certificate's link. */
async function isToldWithReceipt(tx: Transaction, found: Application): Promise<boolean> {
  const order = await orderByNumber(tx, found.orderNumber);
  if (!order || !reachesPayer(found, order)) return false;
  return addToEmail(tx, { kind: 'received', about: order.number });
}

async function readInsurance(
  { db, sealer }: Platform,
  applicationId: string,
): Promise<Insurance | null> {
  const [found, details] = await Promise.all([
    applicationById(db, applicationId),
    readInsuranceDetails(db, sealer, applicationId),
  ]);
  return found && details ? { found, details } : null;
}

/** Loads what a certificate says. Days are those of Türkiye, where the insured person travels. */
export async function certificateFacts(
  platform: Platform,
  found: Application,
  details: InsuranceDetails,
): Promise<CertificateFacts> {
  const { db, sealer, config } = platform;
  const now = platform.now();
  const language = isLanguage(found.language) ? found.language : 'en';
  const [country, terms] = await Promise.all([
    countryByCode(platform, found.countryCode),
    requireTerms(db, details.termsVersion),
  ]);
  return {
    language,
    number: found.number,
    planDays: details.planDays,
    firstName: found.firstName,
    lastName: found.lastName,
    dateOfBirth: stored(found.dateOfBirth),
    nationality: country ? countryName(country, language) : found.countryCode,
    passportNumber: details.passportNumber,
    from: stored(found.startsOn),
    until: stored(details.coverUntil),
    destination: placeName('TUR', language),
    premium: usd(found.amountMinor),
    paidOn: toPlainDate(found.paidAt ?? now, TURKIYE),
    issuedOn: toPlainDate(now, TURKIYE),
    cancelledOn: details.cancelledAt ? toPlainDate(details.cancelledAt, TURKIYE) : null,
    terms,
    operator: await currentOperator(platform),
    termsAddress: `${config.publicUrl}/${language}/insurance/terms/${terms.version}`,
    verifyAddress: `${config.publicUrl}/verify/${await storedVerifyCode(db, sealer, found.id)}`,
  };
}

function stored(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error('The database holds a day that does not exist');
  return date;
}

/** Working hours within which a paid application of a traveller under 18 is decided. */
const REVIEW_HOURS = 8;

/**
 * The promised moment of a minor's insurance: `REVIEW_HOURS` after payment, or after the next opening where that was
 * outside working hours. Seconds are dropped, as for a visa. `office`: as known at the payment.
 */
export const reviewDeadline = (paidAt: Date, office: Office): Date =>
  addWorkingHours(wholeMinute(paidAt), REVIEW_HOURS, office);

/**
 * What a payment starts for every insurance in an order: an adult's certificate is made by a job at once; for a
 * traveller under 18 staff decide first, by a promised moment.
 */
export async function startInsuranceClocks(
  tx: Transaction,
  numbers: string[],
  { paidAt, office }: { paidAt: Date; office: Office },
): Promise<void> {
  for (const { id, isMinor } of await insurancesNumbered(tx, numbers)) {
    const isFirst = await startClock(tx, {
      id,
      paidAt,
      promisedAt: isMinor ? reviewDeadline(paidAt, office) : null,
    });
    if (isFirst && !isMinor) await orderCertificate(tx, id);
  }
}

/** The background jobs of insurance. */
export function insuranceJobs(platform: Platform): JobHandlers {
  return {
    [CERTIFICATE_JOB]: (payload) => issueCertificate(platform, payload),
  };
}

/**
 * The terms of a version.
 * @throws Error for an unknown version, which only a fault of ours can cause.
 */
export async function requireTerms(db: Queryable, version: number): Promise<Terms> {
  const terms = await termsByVersion(db, version);
  if (!terms) throw new Error(`No insurance terms ${version}`);
  return terms;
}
