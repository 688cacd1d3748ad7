import type { PlainDate } from '~/base/dates/dates.ts';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { runningPromise } from '~/features/application/promised.ts';
import { lastEntryDay } from '~/features/application/entry-rule.ts';
import { application } from '~/features/application/tables.server.ts';
import { storeReplacedPassport } from '~/features/application/correction/correction-store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { newRow, type NewRow } from '~/platform/postgres/store-together.server.ts';
import { parseZone, writeZone, type Zone } from '../passport-reader/zone.ts';
import { visaApplication } from './tables.server.ts';
import type { Office } from '~/base/dates/office.ts';
import { startClock } from '~/features/application/store.server.ts';
import { promisedMoment } from '../rules/ready-by.ts';
import { upcomingChangeMoments, valuesInForce, type Settings } from '~/features/settings/change.ts';
import { moneyValues, seedPrices } from '~/features/settings/price-values.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { firstPrices, toPriceList, type PriceList } from '../rules/price-list.ts';

type Row = typeof visaApplication.$inferSelect;
type Sealed =
  | 'passportNumber'
  | 'passportHash'
  | 'supportingDocumentNumber'
  | 'machineReadableZone';

/** A visa application's own answers, with its document numbers decrypted. */
export type VisaDetails = Omit<Row, Sealed> & {
  passportNumber: string;
  supportingDocumentNumber: string | null;
  /** Null where the traveller typed everything. */
  zone: Zone | null;
};

const PASSPORT = 'visa_application.passport_number';
const DOCUMENT = 'visa_application.supporting_document_number';
const ZONE = 'visa_application.machine_readable_zone';

/** The row of a new application's own answers. */
export const visaDetailsRow = (sealer: Sealer, details: VisaDetails): NewRow =>
  newRow(visaApplication, sealed(sealer, details));

/** Replaces all answers of an application, after a correction. */
export async function replaceVisaDetails(
  tx: Transaction,
  sealer: Sealer,
  details: VisaDetails,
): Promise<void> {
  const [before] = await tx
    .select({ hash: visaApplication.passportHash })
    .from(visaApplication)
    .where(eq(visaApplication.applicationId, details.applicationId));
  const row = sealed(sealer, details);
  const { applicationId, passportHash: after } = row;
  await storeReplacedPassport(tx, { applicationId, before: before?.hash, after });
  await tx
    .update(visaApplication)
    .set(row)
    .where(eq(visaApplication.applicationId, details.applicationId));
}

function sealed(
  sealer: Sealer,
  { passportNumber, supportingDocumentNumber, zone, ...rest }: VisaDetails,
): Row {
  const id = rest.applicationId;
  return {
    ...rest,
    passportNumber: sealer.seal(passportNumber, `${PASSPORT}:${id}`),
    passportHash: sealer.keyedHash(passportNumber, PASSPORT),
    supportingDocumentNumber:
      supportingDocumentNumber === null
        ? null
        : sealer.seal(supportingDocumentNumber, `${DOCUMENT}:${id}`),
    machineReadableZone: zone && sealer.seal(writeZone(zone), `${ZONE}:${id}`),
  };
}

/** Decrypts the numbers. Whoever shows them to a person records that in the audit trail. */
export async function readVisaDetails(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<VisaDetails | null> {
  const [row] = await db
    .select()
    .from(visaApplication)
    .where(eq(visaApplication.applicationId, applicationId));
  if (!row) return null;
  const { passportHash: _, machineReadableZone, ...rest } = row;
  const document = row.supportingDocumentNumber;
  return {
    ...rest,
    passportNumber: sealer.unsealText(row.passportNumber, `${PASSPORT}:${applicationId}`),
    supportingDocumentNumber:
      document === null ? null : sealer.unsealText(document, `${DOCUMENT}:${applicationId}`),
    zone: openZone(sealer, { applicationId, machineReadableZone }),
  };
}

/** The machine-readable lines as read; null where the traveller typed everything. */
export const openZone = (
  sealer: Sealer,
  { applicationId, machineReadableZone: zone }: Pick<Row, 'applicationId' | 'machineReadableZone'>,
): Zone | null => zone && parseZone(sealer.unsealText(zone, `${ZONE}:${applicationId}`));

/** Deletes the answers of expired applications; a visa has no files of its own. */
export async function deleteVisaDetails(tx: Transaction, applicationIds: string[]): Promise<[]> {
  await tx.delete(visaApplication).where(inArray(visaApplication.applicationId, applicationIds));
  return [];
}

/**
 * The last day to enter Türkiye on an e-visa with a supporting document: counted from its approval, before that from the
 * promised moment. Null where entering is not limited, nothing is promised, or it was rejected.
 */
export async function findLastEntryDay(db: Queryable, number: string): Promise<PlainDate | null> {
  const [row] = await db
    .select({
      status: application.status,
      decidedAt: application.decidedAt,
      promisedAt: application.promisedAt,
      pausedAt: application.pausedAt,
    })
    .from(visaApplication)
    .innerJoin(application, eq(application.id, visaApplication.applicationId))
    .where(and(eq(application.number, number), isNotNull(visaApplication.supportingDocumentType)));
  if (!row || row.status === 'rejected') return null;
  const from = row.decidedAt ?? runningPromise(row);
  return from && lastEntryDay(from);
}

/** Sets the promised moment of every visa application in a paid order. `office`: as known at `paidAt`. */
export async function startVisaClocks(
  tx: Transaction,
  numbers: string[],
  { paidAt, office }: { paidAt: Date; office: Office },
): Promise<void> {
  if (numbers.length === 0) return;
  const rows = await tx
    .select({
      id: application.id,
      processingType: application.service,
      supportingDocument: visaApplication.supportingDocumentType,
    })
    .from(application)
    .innerJoin(visaApplication, eq(visaApplication.applicationId, application.id))
    .where(inArray(application.number, numbers));
  for (const { id, processingType, supportingDocument } of rows) {
    const path = supportingDocument === null ? 'without_document' : 'with_document';
    const promisedAt = promisedMoment(path, processingType, paidAt, office);
    await startClock(tx, { id, paidAt, promisedAt });
  }
}

export function visaPricesInForce(settings: Settings, at: Date): PriceList {
  const known = read.get(settings);
  if (known && at >= known.from && (known.until === null || at < known.until)) return known.list;
  const list = toPriceList(moneyValues(valuesInForce(settings, 'visa_prices', at)));
  const [until = null] = upcomingChangeMoments(settings, 'visa_prices', at);
  read.set(settings, { from: at, until, list });
  return list;
}

/** Cached for each settings with the period in which the list holds: each request asks several times. */
const read = new WeakMap<Settings, { from: Date; until: Date | null; list: PriceList }>();

/** For prices that are shown. Those charged are stored on the condition that the settings are unchanged (`submit`). */
export const visaPrices = async ({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<PriceList> =>
  visaPricesInForce(await currentSettings(db), now());

/** Seeds the first visa prices, once. */
export async function seedVisaPrices(tx: Transaction, now: Date) {
  const inserted = await seedPrices(tx, 'visa_prices', firstPrices, now);
  return { counts: {}, inserted };
}
