import { and, eq, gte, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { PlainDate } from '~/base/dates/dates.ts';
import { deleteCorrections } from '~/features/application/correction/correction-store.server.ts';
import { deleteEmailsOf } from '~/features/application/email-store.server.ts';
import { deleteApplications } from '~/features/application/retention/delete-expired-store.server.ts';
import { heldOrders, isHeldItselfSql } from '~/features/application/retention/hold-store.server.ts';
import { legalHold } from '~/features/application/retention/tables.server.ts';
import {
  application,
  applicationDocument,
  applicationEarlierPassport,
  downloadLink,
} from '~/features/application/tables.server.ts';
import { deskPdfBatchFile } from '../several/tables.server.ts';
import { insertErasedApplications } from './erased-application-store.server.ts';
import { deskDraft, deskUpload } from '../application/tables.server.ts';
import { deleteWrittenByStaff, withCaseFile } from './enforce-retention.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { deleteDrafts, deleteEmptyParties } from '~/features/form/draft/draft.server.ts';
import {
  deletePhotosOf,
  deleteSubmittedPhotos,
} from '~/features/insurance/store/photo-store.server.ts';
import { deleteInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { order, orderPayerDevice } from '~/features/order/tables.server.ts';
import { paymentAlert, paymentAttempt, paymentRefund } from '~/features/payment/tables.server.ts';
import { deleteVisaDetails } from '~/features/visa/store/store.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Chosen } from './chosen.ts';
import type { PersonIds } from '~/platform/postgres/personal-table.server.ts';
import { blockersOf, isKept, type Blocker } from './erasure-rules.ts';
import { emailsToPerson, shortLivedOf } from './read-person-store.server.ts';
import { eraseShortLived, type ShortLived } from './short-lived-store.server.ts';

/** In place of a payer's address: a domain that never exists (RFC 2606). */
export const ERASED_ADDRESS = 'erased@erased.invalid';

/** Whether some of these orders still have the address of their payer. */
export async function haveAddress(db: Queryable, orderIds: readonly string[]): Promise<boolean> {
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
  own: Chosen,
  { now, isLocking }: { now: Date; isLocking: boolean },
): Promise<Blocker[]> {
  const concerned = db
    .select({
      id: application.id,
      number: application.number,
      orderNumber: application.orderNumber,
      status: application.status,
      isHeld: sql<boolean>`${isHeldItselfSql(now)}`,
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
  // What was applied for and delivered is the evidence in a dispute (GDPR, art. 17(3)(e)).
  const disputed = await db
    .selectDistinct({ number: paymentAttempt.reference })
    .from(paymentAlert)
    .innerJoin(paymentAttempt, eq(paymentAttempt.id, paymentAlert.attemptId))
    .where(and(inArray(paymentAttempt.reference, orders), isNull(paymentAlert.resolvedAt)));
  return blockersOf(applications, {
    heldOrders: await heldOrders(db, orders, now),
    moving: moving.map(({ number }) => number),
    disputed: disputed.map(({ number }) => number),
  });
}

/** An approved application whose trip has not begun: the traveller may still need what goes with the erasure. */
export type ComingTrip = { number: string; startsOn: string };

/** The coming trips of what was chosen, the soonest first; `today` counts as coming. */
export const comingTrips = (db: Queryable, own: Chosen, today: PlainDate): Promise<ComingTrip[]> =>
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
export async function eraseRows(
  tx: Transaction,
  sealer: Sealer,
  { own, ids, at }: { own: Chosen; ids: PersonIds; at: Date },
): Promise<string[]> {
  const addressed = await emailsToPerson({ db: tx, sealer }, ids);
  const shortLived = await shortLivedOf({ db: tx, sealer }, ids);
  if (addressed.length > 0) {
    await tx.update(email).set({ content: null }).where(inArray(email.id, addressed));
  }
  const files = await eraseUploads(tx, own.applicationIds);
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
    ...(await deleteApplications(tx, idsOf('visa'), withCaseFile(deleteVisaDetails))),
    ...(await deleteApplications(tx, idsOf('insurance'), withCaseFile(deleteInsuranceDetails))),
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
  await tx.delete(deskPdfBatchFile).where(inArray(deskPdfBatchFile.applicationId, applicationIds));
  const unused = await tx
    .delete(deskUpload)
    .where(and(isNull(deskUpload.applicationId), inArray(deskUpload.draftFor, applicationIds)))
    .returning({ fileId: deskUpload.fileId });
  return unused.map(({ fileId }) => fileId);
}

/** Of an insurance that is kept, everything but the contract and its certificate. */
async function eraseBeside(tx: Transaction, applicationIds: string[]): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  await deleteWrittenByStaff(tx, applicationIds);
  await deleteEmailsOf(tx, applicationIds);
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
  const photos = await deletePhotosOf(tx, [...draftIds]);
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
export async function keptApplications(
  db: Queryable,
  applicationIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .select({ id: application.id, kind: application.kind, status: application.status })
    .from(application)
    .where(inArray(application.id, [...applicationIds]));
  return rows.filter(isKept).map(({ id }) => id);
}
