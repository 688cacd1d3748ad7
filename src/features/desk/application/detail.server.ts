import { currentSettings } from '~/features/settings/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { emailRecipient } from '~/features/application/recipient.ts';
import { shownRejection } from '~/features/application/templates.server.ts';
import { isUuid } from '~/base/uuid.ts';
import { parseDate } from '~/base/dates/dates.ts';
import type { Validity } from './pdf-rules.ts';
import type { Language } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { writePhone } from '~/features/application/read-phone.server.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import {
  applicationById,
  applicationByNumber,
  type Application,
  eventsByApplication,
} from '~/features/application/store.server.ts';
import { paymentStatus } from '~/features/application/status-machine.ts';
import { readNumber } from '~/features/application/number.ts';
import { type Photo, photosByApplication } from '~/features/insurance/store/photo-store.server.ts';
import {
  openInsurance,
  type InsuranceDetails,
  insuranceRows,
} from '~/features/insurance/store/store.server.ts';
import {
  storedReceiptNumber,
  receiptsByOrder,
} from '~/features/order/receipt/issue-receipt.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { AnswerChange } from '~/features/application/correction/correction.ts';
import {
  openChanges,
  type Correction,
  correctionsByApplication,
} from '~/features/application/correction/correction-store.server.ts';
import { maskNumber } from '~/features/application/document-number.ts';
import { openZone } from '~/features/visa/store/store.server.ts';
import {
  openNumbers,
  type DocumentNumbers,
  type VisaRow,
  decisionMailMoments,
  documentsByApplication,
  visaRows,
} from './store.server.ts';
import { linesByOrder, type Order, orderByNumber } from '~/features/order/store.server.ts';
import { returnedByApplication } from '~/features/order/refunds/order-refund-store.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import { attemptsByReference, type Attempt } from '~/features/payment/settlement/store.server.ts';
import { validClaims, type Claim } from '~/features/application/claim-store.server.ts';
import {
  zoneDifferences,
  type ZoneDifference,
} from '~/features/visa/passport-reader/differences.ts';
import { zoneFields, type Zone } from '~/features/visa/passport-reader/zone.ts';

type ZoneRow = {
  field: ZoneDifference;
  typed: string;
  /** Empty where the lines do not contain it. */
  read: string;
  differs: boolean;
};

/** The present answers beside what was read from the passport's machine-readable lines; null where nothing was read. */
export function compareZone(
  zone: Zone | null,
  { lastName, firstName, dateOfBirth, countryCode }: Application,
  {
    passportNumber,
    passportExpiryDate,
    reveal,
  }: { passportNumber: string; passportExpiryDate: string; reveal: boolean },
): { rows: ZoneRow[]; areNamesCut: boolean } | null {
  if (!zone) return null;
  const answers = {
    lastName,
    firstName,
    passportNumber,
    dateOfBirth,
    passportExpiryDate,
    countryId: countryCode,
  };
  const differing = zoneDifferences(zone, answers);
  const read = { ...zone, countryId: zone.nationality };
  const shown = (field: ZoneDifference, value: string) =>
    field === 'passportNumber' && !reveal ? maskNumber(value) : value;
  const rows = [...zoneFields, 'countryId' as const].map((field) => ({
    field,
    typed: shown(field, answers[field]),
    read: shown(field, read[field]),
    differs: differing.includes(field),
  }));
  return { rows, areNamesCut: zone.areNamesCut };
}

/** Finds an application by id, or by number with spaces, hyphens and case ignored. Null where there is none. */
export async function findApplication(db: Queryable, named: string): Promise<Application | null> {
  if (isUuid(named)) return applicationById(db, named);
  const read = readNumber(named);
  return read.ok ? applicationByNumber(db, read.number) : null;
}

export type ApplicationDetail = ReturnType<typeof detailOf>;

/**
 * `reveal`: document numbers in full. `comparesChanges`: numbers that the traveller corrected in full, before and after,
 * until somebody has checked them: masked ones would hide the very difference.
 */
type Shown = { language: Language; reveal: boolean; comparesChanges?: boolean };
type OrderBase = Pick<CaseBase, 'order' | 'attempts'>;

/**
 * Everything that the desk shows of applications of one order, in their order, with names in the reader's language, for
 * as many statements as one takes. Document numbers are masked unless `reveal`. The caller records the views, and the
 * revealing (`showsNumbers` for corrected ones), in the audit trail.
 */
export async function describeAll(
  platform: Platform,
  applications: readonly Application[],
  { base, ...shown }: Shown & { base: OrderBase },
): Promise<ApplicationDetail[]> {
  const [rows, settings] = await Promise.all([
    detailRows(platform, applications, base.order),
    currentSettings(platform.db),
  ]);
  return applications.map((one) => detailOf(platform, one, { ...shown, base, rows, settings }));
}

function detailOf(
  platform: Platform,
  application: Application,
  {
    language,
    reveal,
    comparesChanges = false,
    base,
    rows,
    settings,
  }: Shown & { base: OrderBase; rows: DetailRows; settings: Settings },
) {
  const { id } = application;
  const { order, attempts } = base;
  const { lines, receipts, names } = rows;
  const insurance = rows.insurances.get(id) ?? null;
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const visa = rows.visas.get(id) ?? null;
  const numbers = visa && openNumbers(platform, visa);
  const { countryCode } = application;
  const corrections = (rows.corrections.get(id) ?? []).map((one) => ({
    ...one,
    changes: openChanges(platform.sealer, one),
  }));
  const isUnchecked = ({ answeredAt, checkedAt }: Pick<Correction, 'answeredAt' | 'checkedAt'>) =>
    answeredAt !== null &&
    checkedAt === null &&
    application.decidedAt === null &&
    application.pausedAt === null;
  return {
    ...application,
    /** The language of the emails about it: the payer's, where they go to the payer. */
    emailLanguage: order ? emailRecipient(application, order).language : application.language,
    rejection: shownRejection(settings, application),
    total: usd(application.amountMinor),
    returned: rows.returned.get(application.number) ?? { done: usd(0), coming: usd(0) },
    phoneGrouped: writePhone(application.phone, countryCode),
    country: countryName({ code: countryCode, name: countryCode }, language),
    paid: order?.paidAt != null,
    paymentStatus: paymentStatus({
      paid: order?.paidAt != null,
      latestAttemptFailed:
        attempts.findLast(({ begunBy }) => begunBy === 'payer')?.state === 'failed',
    }),
    mailSentAt: rows.mails.get(id) ?? null,
    visa: visa &&
      numbers && {
        ...describeVisa(visa, numbers, { language, reveal }),
        zone: compareZone(openZone(platform.sealer, visa), application, {
          passportNumber: numbers.passport,
          passportExpiryDate: visa.passportExpiryDate,
          reveal,
        }),
      },
    insurance:
      insurance &&
      describeInsurance(openInsurance(platform.sealer, insurance), rows.photos.get(id) ?? [], {
        language,
        reveal,
      }),
    order: order && { number: order.number, total: usd(order.amountMinor), paidAt: order.paidAt },
    lines: lines
      .filter(({ applicationNumber }) => applicationNumber === application.number)
      .map(({ code, detail, amountMinor }) => ({ code, detail, amount: usd(amountMinor) })),
    receipts: receipts.map((receipt) => ({ id: receipt.id, number: storedReceiptNumber(receipt) })),
    /** Whether corrected numbers are shown in full. */
    showsNumbers:
      comparesChanges &&
      corrections.some(
        (one) => isUnchecked(one) && one.changes.some(({ field }) => isNumberField(field)),
      ),
    corrections: corrections.map((one) => ({
      id: one.id,
      fields: one.fields,
      note: one.note,
      askedAt: one.askedAt,
      answerBy: one.answerBy,
      remindedAt: one.remindedAt,
      answeredAt: one.answeredAt,
      checkedAt: one.checkedAt,
      closedAt: one.closedAt,
      expiredAt: one.expiredAt,
      changes: comparesChanges && isUnchecked(one) ? one.changes : one.changes.map(masked),
    })),
    events: (rows.events.get(id) ?? []).map(({ kind, at, staffId }) => ({
      kind,
      at,
      by: nameOf(staffId),
    })),
    documents: (rows.documents.get(id) ?? []).map(
      ({ id, size, createdAt, staffId, replacedAt, validFrom, validUntil }) => ({
        id,
        size,
        createdAt,
        replacedAt,
        by: nameOf(staffId),
        validity: validityOf(validFrom, validUntil),
      }),
    ),
  };
}

/** What was read in a document when it was delivered. */
function validityOf(first: string | null, last: string | null): Validity | null {
  const [from, until] = [parseDate(first ?? ''), parseDate(last ?? '')];
  return from && until && { from, until };
}

const isNumberField = (field: string): boolean => field.endsWith('Number');

const masked = ({ field, before, after }: AnswerChange): AnswerChange =>
  isNumberField(field)
    ? { field, before: maskNumber(before), after: maskNumber(after) }
    : { field, before, after };

function describeInsurance(
  details: InsuranceDetails,
  photos: readonly Photo[],
  { language, reveal }: { language: Language; reveal: boolean },
) {
  return {
    passportNumber: reveal ? details.passportNumber : maskNumber(details.passportNumber),
    placeOfBirth: details.placeOfBirth,
    destination: placeName('TUR', language),
    returnDate: details.returnDate,
    tripDays: details.tripDays,
    planDays: details.planDays,
    coverUntil: details.coverUntil,
    isMinor: details.isMinor,
    cancelledAt: details.cancelledAt,
    photos: photos.map(({ id, name, size, createdAt }) => ({ id, name, size, createdAt })),
  };
}

function describeVisa(
  visa: VisaRow,
  numbers: DocumentNumbers,
  { language, reveal }: { language: Language; reveal: boolean },
) {
  const shown = (number: string) => (reveal ? number : maskNumber(number));
  const { applicationId: _, passportHash: __, machineReadableZone: ___, ...details } = visa;
  const { supportingDocumentType: type, supportingDocumentCountry: issuer } = details;
  const supportingDocumentNumber = numbers.supportingDocument && shown(numbers.supportingDocument);
  return {
    ...details,
    passportNumber: shown(numbers.passport),
    supportingDocumentNumber,
    revealed: reveal,
    supportingDocument: type && {
      type,
      issuerCode: issuer,
      issuer: issuer && placeName(issuer, language),
      number: supportingDocumentNumber,
      startDate: details.supportingDocumentStartDate,
      endDate: details.supportingDocumentEndDate,
    },
  };
}

type DetailRows = Awaited<ReturnType<typeof detailRows>>;

/**
 * Reads what the desk shows of applications of one order, each table once for all of them; by application, or by its
 * number.
 */
async function detailRows(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  applications: readonly Application[],
  order: Order | null,
) {
  const idsOf = (isAsked: (one: Application) => boolean) =>
    applications.filter(isAsked).map(({ id }) => id);
  const ids = idsOf(() => true);
  const insuranceIds = idsOf(({ kind }) => kind === 'insurance');
  const [
    visas,
    insurances,
    mails,
    events,
    documents,
    corrections,
    lines,
    receipts,
    returned,
    photos,
  ] = await Promise.all([
    visaRows(
      db,
      idsOf(({ kind }) => kind === 'visa'),
    ),
    insuranceRows(db, insuranceIds),
    decisionMailMoments(
      db,
      idsOf(({ decidedAt }) => decidedAt !== null),
    ),
    eventsByApplication(db, ids),
    documentsByApplication(db, ids),
    correctionsByApplication(db, ids),
    order ? linesByOrder(db, order.id) : [],
    order ? receiptsByOrder(db, order.id) : [],
    returnedByApplication(
      db,
      applications.map(({ number }) => number),
    ),
    photosByApplication(db, sealer, insuranceIds),
  ]);
  const staff = [...events.values(), ...documents.values()]
    .flat()
    .flatMap(({ staffId }) => staffId ?? []);
  const names = await staffNames(db, [...new Set(staff)]);
  return {
    visas,
    insurances,
    mails,
    events,
    documents,
    corrections,
    lines,
    receipts,
    returned,
    photos,
    names,
  };
}

/** What several parts of an application's page need, read once. */
export type CaseBase = {
  order: Order | null;
  /** Oldest first. */
  attempts: readonly Attempt[];
  /** Who is working on it now. */
  claim: Claim | null;
};

export async function caseBase(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { id, orderNumber }: Application,
): Promise<CaseBase> {
  const [order, attempts, claims] = await Promise.all([
    orderByNumber(db, orderNumber),
    attemptsByReference(db, orderNumber),
    validClaims(db, [id], now()),
  ]);
  return { order, attempts, claim: claims.get(id) ?? null };
}
