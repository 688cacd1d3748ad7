import { toPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { removeFilesLater } from '~/platform/files/files.server.ts';
import { countDeletions, insertErasedApplications } from './deletions.server.ts';
import type { GivenIdentifiers } from './privacy-case.ts';
import type { Platform, WithoutPool } from '~/platform/platform.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import type { ChosenData } from './case-store.server.ts';
import { findPerson } from './find-person.server.ts';
import {
  countPerson,
  personIds,
  readPerson,
  emailsToPerson,
  readShortLived,
  eraseShortLived,
  type ShortLived,
} from './read-person.server.ts';
import { isFinal, type ApplicationStatus } from '~/features/application/status-machine.ts';
import { and, eq, gte, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { deleteCorrections } from '~/features/application/correction/correction-store.server.ts';
import { deleteApplicationEmails } from '~/features/application/change-email.server.ts';
import { deleteApplications } from '~/features/application/delete-expired.server.ts';
import { isStandingSql } from '~/features/application/holds.server.ts';
import {
  legalHold,
  application,
  applicationDocument,
  applicationEarlierPassport,
  downloadLink,
} from '~/features/application/tables.server.ts';
import { deskDraft, deskUpload } from '../application/tables.server.ts';
import { deleteDismissals } from '../application/duplicates.server.ts';
import { deleteEmailCorrections } from '../application/case-emails.server.ts';
import { deleteNotes } from '../application/notes.server.ts';
import { deleteMessages } from '~/features/application/messages/messages.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { deleteDrafts, deleteEmptyParties } from '~/features/form/draft/draft.server.ts';
import {
  deleteDraftPhotos,
  deleteSubmittedPhotos,
} from '~/features/insurance/store/photo-store.server.ts';
import { deleteInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { order, orderPayerDevice } from '~/features/order/tables.server.ts';
import { paymentAlert, paymentAttempt, paymentRefund } from '~/features/payment/tables.server.ts';
import { deleteVisaDetails } from '~/features/visa/store/store.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { rehearse } from '~/platform/postgres/transactions.server.ts';
import type { PersonIds } from '~/platform/postgres/personal-table.server.ts';

/** Shows what an erasure would do before it is done: it is done, counted, and rolled back. */
export const planErasure = (platform: Platform, own: ChosenData) =>
  rehearse(platform.db, async (tx) => {
    const now = platform.now();
    const blockers = await erasureBlockers(tx, own, { now, isLocking: false });
    const trips = await comingTrips(tx, own, toPlainDate(now, UTC));
    const kept = (await countPerson(tx, await personIds(tx, own))).filter(
      ({ table }) => table.erasure === 'kept' || table.name === 'purchase_order',
    );
    const keptInsurances = (await keptApplications(tx, own.applicationIds)).length;
    const goes = await countDeletions(tx, () => erasePerson(tx, platform, own, now));
    const stays = Object.fromEntries(kept.map(({ table, count }) => [table.name, count]));
    return {
      blockers,
      /** Whoever erases confirms them. */
      trips,
      goes,
      /** Rows that the law obliges us to keep, by table. */
      stays,
      /** Insurances that stay with their certificate. */
      keptInsurances,
    };
  });

/**
 * Deletes the rows in the caller's transaction, and has the files removed after it; returns the files. `at`: when the
 * person's data was erased, which is earlier where that is repeated.
 */
export async function erasePerson(
  tx: Transaction,
  { sealer }: Pick<WithoutPool, 'sealer'>,
  own: ChosenData,
  at: Date,
): Promise<string[]> {
  const ids = await personIds(tx, own);
  const files = await eraseRows(tx, sealer, { own, ids, at });
  await removeFilesLater(tx, files);
  return files;
}

/**
 * Looks again after an erasure, in three ways: for rows by the ids that were erased, for what the person gave, and for the
 * files. All zero: nothing is left but what the law keeps.
 */
export async function checkErasure(platform: Platform, own: ChosenData, given: GivenIdentifiers) {
  const kept = new Set(await keptApplications(platform.db, own.applicationIds));
  const erased = {
    ...own,
    applicationIds: own.applicationIds.filter((id) => !kept.has(id)),
    orderIds: [],
  };
  const counts = (await countPerson(platform.db, await personIds(platform.db, erased))).filter(
    ({ table }) => table.erasure !== 'kept',
  );
  const again = await findPerson(platform, given);
  let files = 0;
  for (const id of own.fileIds ?? []) if (await platform.files.read(id)) files += 1;
  return {
    rows: counts.reduce((sum, { count }) => sum + count, 0),
    found:
      again.applications.filter(({ id }) => own.applicationIds.includes(id) && !kept.has(id))
        .length +
      again.orders.filter(
        ({ id, customerEmail }) => own.orderIds.includes(id) && customerEmail !== ERASED_ADDRESS,
      ).length +
      again.drafts.filter(({ id }) => own.draftIds.includes(id)).length,
    files,
  };
}

/** Everything of a person, read in one snapshot. */
export const readEverything = (platform: Platform, own: ChosenData) =>
  platform.db.transaction(
    async (tx) => readPerson({ db: tx, sealer: platform.sealer }, await personIds(tx, own)),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );

/** What stands in the way of an erasure, and the number of the application or order. */
export type ErasureBlocker = {
  code: 'under_way' | 'held' | 'money_moving' | 'disputed';
  number: string;
};

/**
 * An insurance that was concluded stays with its certificate although its holder has the rest erased: merchants keep
 * their papers for ten years (Commercial Code, No. 6102, art. 82; GDPR, art. 17(3)(b)). Of a visa nothing but the
 * ledger has to stay.
 */
const isKept = ({
  kind,
  status,
}: {
  kind: 'visa' | 'insurance';
  status: ApplicationStatus;
}): boolean => kind === 'insurance' && status === 'approved';

/** In place of a payer's address: a domain that never exists (RFC 2606). */
const ERASED_ADDRESS = 'erased@erased.invalid';

/** Whether some of these orders still have the address of their payer. */
export async function isAnyAddressKept(
  db: Queryable,
  orderIds: readonly string[],
): Promise<boolean> {
  const rows = await db
    .select({ id: order.id })
    .from(order)
    .where(and(inArray(order.id, [...orderIds]), ne(order.customerEmail, ERASED_ADDRESS)))
    .limit(1);
  return rows.length > 0;
}

const UNDECIDED_REFUNDS = ['held', 'requested', 'sent', 'pending'] as const;
const UNDECIDED_ATTEMPTS = ['pending', 'authorised'] as const;

/**
 * What stands in the way of an erasure: an application that is not decided yet, among the chosen ones or in an order
 * that the person pays; money that is moving or disputed; a legal hold. `isLocking` locks the applications until the transaction
 * ends.
 */
export async function erasureBlockers(
  db: Queryable,
  own: ChosenData,
  { now, isLocking }: { now: Date; isLocking: boolean },
): Promise<ErasureBlocker[]> {
  const isHeldItself = sql`exists (select 1 from ${legalHold}
    where ${isStandingSql(now)} and ${legalHold.applicationId} = ${application.id})`;
  const concerned = db
    .select({
      id: application.id,
      number: application.number,
      orderNumber: application.orderNumber,
      status: application.status,
      isHeld: sql<boolean>`${isHeldItself}`,
    })
    .from(application)
    .where(
      or(
        inArray(application.id, own.applicationIds),
        inArray(
          application.orderNumber,
          db.select({ number: order.number }).from(order).where(inArray(order.id, own.orderIds)),
        ),
      ),
    )
    .orderBy(application.id);
  const applications = await (isLocking ? concerned.for('update') : concerned);
  const payed = await db
    .select({ number: order.number })
    .from(order)
    .where(inArray(order.id, own.orderIds));
  const orders = [
    ...new Set([...applications.map((one) => one.orderNumber), ...payed.map((one) => one.number)]),
  ];
  const moving = await db
    .selectDistinct({ number: paymentAttempt.reference })
    .from(paymentAttempt)
    .leftJoin(paymentRefund, eq(paymentRefund.attemptId, paymentAttempt.id))
    .where(
      and(
        inArray(paymentAttempt.reference, orders),
        or(
          inArray(paymentAttempt.state, [...UNDECIDED_ATTEMPTS]),
          inArray(paymentRefund.state, [...UNDECIDED_REFUNDS]),
        ),
      ),
    );
  const held = await db
    .selectDistinct({ number: legalHold.orderNumber })
    .from(legalHold)
    .where(
      and(
        isStandingSql(now),
        isNull(legalHold.applicationId),
        inArray(legalHold.orderNumber, orders),
      ),
    );
  // What was applied for and delivered is the evidence in a dispute (GDPR, art. 17(3)(e)).
  const disputed = await db
    .selectDistinct({ number: paymentAttempt.reference })
    .from(paymentAlert)
    .innerJoin(paymentAttempt, eq(paymentAttempt.id, paymentAlert.attemptId))
    .where(and(inArray(paymentAttempt.reference, orders), isNull(paymentAlert.resolvedAt)));
  return [
    ...applications.flatMap(({ number, status, isHeld }): ErasureBlocker[] => [
      ...(isFinal(status) ? [] : [{ code: 'under_way', number } as const]),
      ...(isHeld ? [{ code: 'held', number } as const] : []),
    ]),
    // A hold on the order is told once, with the order's number.
    ...held.map(({ number }): ErasureBlocker => ({ code: 'held', number })),
    ...moving.map(({ number }): ErasureBlocker => ({ code: 'money_moving', number })),
    ...disputed.map(({ number }): ErasureBlocker => ({ code: 'disputed', number })),
  ];
}

/** An approved application whose trip has not begun: the traveller may still need what goes with the erasure. */
type ComingTrip = { number: string; startsOn: string };

/** The coming trips of what was chosen, the soonest first; `today` counts as coming. */
export const comingTrips = (
  db: Queryable,
  own: ChosenData,
  today: PlainDate,
): Promise<ComingTrip[]> =>
  db
    .select({ number: application.number, startsOn: application.startsOn })
    .from(application)
    .where(
      and(
        inArray(application.id, own.applicationIds),
        eq(application.kind, 'visa'),
        eq(application.status, 'approved'),
        gte(application.startsOn, today),
      ),
    )
    .orderBy(application.startsOn, application.id);

/**
 * Deletes what was chosen, but for what the law has us keep; returns the files that now belong to nothing. The caller
 * has checked that nothing stands in the way.
 */
async function eraseRows(
  tx: Transaction,
  sealer: Sealer,
  { own, ids, at }: { own: ChosenData; ids: PersonIds; at: Date },
): Promise<string[]> {
  const addressed = await emailsToPerson({ db: tx, sealer }, ids);
  const shortLived = await readShortLived({ db: tx, sealer }, ids);
  if (addressed.length > 0) {
    await tx.update(email).set({ content: null }).where(inArray(email.id, addressed));
  }
  const files = [
    ...(await eraseUploads(tx, own.applicationIds)),
    ...(await deleteMessages(tx, [...own.applicationIds])),
  ];
  const rows = await tx
    .select({
      id: application.id,
      number: application.number,
      kind: application.kind,
      status: application.status,
    })
    .from(application)
    .where(inArray(application.id, own.applicationIds));
  const gone = rows.filter((row) => !isKept(row));
  const numbers = gone.map(({ number }) => number);
  await insertErasedApplications(tx, sealer, { numbers, erasedAt: at });
  const idsOf = (kind: 'visa' | 'insurance') =>
    gone.filter((row) => row.kind === kind).map(({ id }) => id);
  files.push(
    ...(await deleteApplications(tx, idsOf('visa'), deleteVisaDetails)),
    ...(await deleteApplications(tx, idsOf('insurance'), deleteInsuranceDetails)),
    ...(await eraseBeside(
      tx,
      rows.filter(isKept).map(({ id }) => id),
    )),
    ...(await eraseDrafts(tx, ids)),
  );
  await erasePayer(tx, ids);
  await eraseShortLived(tx, withoutCertificates(shortLived, rows.filter(isKept)));
  return [...new Set(files)];
}

/** The certificate of an insurance that is kept may have to be drawn yet. */
function withoutCertificates({ answers, jobs }: ShortLived, kept: { id: string }[]): ShortLived {
  const names = (payload: unknown) => kept.some(({ id }) => JSON.stringify(payload).includes(id));
  return { answers, jobs: jobs.filter(({ payload }) => !names(payload)) };
}

/** PDFs that staff uploaded for these applications and did not deliver, and decisions they did not send. */
async function eraseUploads(tx: Transaction, applicationIds: string[]): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  await tx.delete(deskDraft).where(inArray(deskDraft.applicationId, applicationIds));
  const unused = await tx
    .delete(deskUpload)
    .where(and(isNull(deskUpload.applicationId), inArray(deskUpload.draftFor, applicationIds)))
    .returning({ fileId: deskUpload.fileId });
  return unused.map(({ fileId }) => fileId);
}

/** Of an insurance that is kept, everything but the contract and its certificate. */
async function eraseBeside(tx: Transaction, applicationIds: string[]): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  await deleteNotes(tx, applicationIds);
  await deleteEmailCorrections(tx, applicationIds);
  await deleteDismissals(tx, applicationIds);
  await deleteApplicationEmails(tx, applicationIds);
  await deleteCorrections(tx, applicationIds);
  await tx
    .delete(applicationEarlierPassport)
    .where(inArray(applicationEarlierPassport.applicationId, applicationIds));
  await tx
    .delete(downloadLink)
    .where(
      inArray(
        downloadLink.documentId,
        tx
          .select({ id: applicationDocument.id })
          .from(applicationDocument)
          .where(inArray(applicationDocument.applicationId, applicationIds)),
      ),
    );
  const photos: string[] = [];
  for (const id of applicationIds) photos.push(...(await deleteSubmittedPhotos(tx, id)));
  return photos;
}

async function eraseDrafts(tx: Transaction, { draftIds }: PersonIds): Promise<string[]> {
  if (draftIds.length === 0) return [];
  const photos = await deleteDraftPhotos(tx, [...draftIds]);
  await deleteDrafts(tx, draftIds);
  await deleteEmptyParties(tx);
  return photos;
}

/** Of an order its books need name, amounts and receipts; neither an address nor which browser it was. */
async function erasePayer(
  tx: Transaction,
  { orderIds, orderNumbers, attemptIds }: PersonIds,
): Promise<void> {
  if (orderIds.length === 0) return;
  // Those that stood would have prevented the erasure.
  await tx
    .delete(legalHold)
    .where(and(inArray(legalHold.orderNumber, [...orderNumbers]), isNull(legalHold.applicationId)));
  await tx
    .update(order)
    .set({ customerEmail: ERASED_ADDRESS, sessionHash: null })
    .where(inArray(order.id, [...orderIds]));
  await tx.delete(orderPayerDevice).where(inArray(orderPayerDevice.orderId, [...orderIds]));
  await tx
    .update(paymentAttempt)
    .set({ sessionHash: null, checkoutRedirect: null })
    .where(inArray(paymentAttempt.id, [...attemptIds]));
}

/** Of these applications, those that were kept by law. */
async function keptApplications(
  db: Queryable,
  applicationIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .select({ id: application.id, kind: application.kind, status: application.status })
    .from(application)
    .where(inArray(application.id, [...applicationIds]));
  return rows.filter(isKept).map(({ id }) => id);
}
