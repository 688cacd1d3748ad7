import { statusMachine } from '~/features/application/status-machine.ts';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { isUuid } from '~/base/uuid.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { takeClaim } from '~/features/application/claim-store.server.ts';
import {
  applicationById,
  currentDocument,
  type Application,
} from '~/features/application/store.server.ts';
import {
  application,
  applicationCorrection,
  applicationDocument,
  applicationEvent,
  downloadLink,
} from '~/features/application/tables.server.ts';
import { lockCase, lockTraveller } from '~/features/status/end-case.server.ts';
import { withdrawEmails } from '~/features/email/ledger/store.server.ts';
import { unmarkCancelled } from '~/features/insurance/store/store.server.ts';
import { linesByOrder, restoreOrder, lockOrder } from '~/features/order/store.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { undoRefund } from '~/features/payment/settlement/refund-request.server.ts';
import { restoreSuperseded } from '~/features/payment/settlement/supersede.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { removeMessage } from '~/features/application/messages/messages.server.ts';
import { insertDraft } from './draft.server.ts';
import { decisionById, lockDecision, markUndone, type DecisionMade } from './undo-record.server.ts';
import type { UndoError } from './decision-types.ts';
import { CLAIM_MS } from './claim.server.ts';
import { releaseUpload } from './store.server.ts';

/** `draftId`: the decision as its author had prepared it; null where there was nothing to prepare. */
type UndoneDecision = { application: Application; draftId: string | null };

/**
 * Undoes a decision or a message of one's own whole, in one transaction: status, history, document, order, refund and email are as
 * they were before it, and the audit trail keeps both. Refused once its author's seconds are over, once somebody has
 * begun to send its email or its refund, and where anything of the case has moved since. The locks are those of the decision, so
 * of an undo and what would overtake it one is first, and the other sees it. Undoing twice changes nothing more.
 */
export async function undoDecision(
  { db, now, sealer }: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  id: string,
): Promise<Outcome<UndoneDecision, UndoError>> {
  const known = isUuid(id) ? await decisionById(db, id) : null;
  if (!known || known.staffId !== staff.id) return refused({ code: 'undo_unknown' });
  try {
    return await db.transaction(async (tx) => {
      const lock = known.kind === 'reject' ? lockTraveller : lockCase;
      const found = await lock(tx, known.applicationId);
      const made = await lockDecision(tx, id);
      if (!found || !made) return refused({ code: 'undo_unknown' });
      if (made.undoneAt) return ok({ application: found, draftId: null });
      const at = now();
      if (at >= made.undoUntil) return refused({ code: 'undo_late' });
      const draftId = await takeBack(tx, { staff, found, made, at, sealer });
      return ok({ application: found, draftId });
    });
  } catch (error) {
    if (error instanceof NotUndone) return refused(error.error);
    throw error;
  }
}

/** Rolls the transaction back and carries the reason. */
class NotUndone extends Error {
  readonly error: UndoError;
  constructor(code: UndoError['code']) {
    super(code);
    this.error = { code };
  }
}

type Undoing = { staff: Staff; found: Application; made: DecisionMade; at: Date; sealer: Sealer };

async function takeBack(tx: Transaction, undoing: Undoing): Promise<string | null> {
  const { staff, found, made, at } = undoing;
  const { before } = made;
  if (made.kind === 'message') return takeBackMessage(tx, undoing);
  await requireUntouched(tx, undoing);
  if (!(await withdrawEmails(tx, before.emails))) throw new NotUndone('undo_late');
  for (const refundId of before.refunds) {
    if (!(await undoRefund(tx, { refundId, by: staff.id, at }))) throw new NotUndone('undo_late');
  }
  if (before.order) await takeBackOrder(tx, undoing, before.order);
  const fileId = await takeBackDocument(tx, undoing);
  await tx
    .update(applicationCorrection)
    .set({ closedAt: null })
    .where(inArray(applicationCorrection.id, before.corrections));
  for (const { lastEvent, ...one } of before.applications) {
    await unmarkCancelled(tx, one.id, made.at);
    if (made.kind !== 'attach') await restoreApplication(tx, one, made.at);
    await tx.delete(applicationEvent).where(isLaterEvent({ id: one.id, lastEvent }));
  }
  await markUndone(tx, made.id, at);
  if (made.kind !== 'attach') {
    const expiresAt = new Date(at.getTime() + CLAIM_MS);
    await takeClaim(tx, { applicationId: found.id, staffId: staff.id, now: at, expiresAt });
  }
  await audit(tx, {
    at,
    staffId: staff.id,
    action: 'decision_undone',
    subject: { kind: 'application', id: found.id },
    detail: { decision: made.kind, emails: before.emails.length, refunds: before.refunds.length },
  });
  return draftAgain(tx, undoing, fileId);
}

type Before = DecisionMade['before']['applications'][number];

const isLaterEvent = ({ id, lastEvent }: Pick<Before, 'id' | 'lastEvent'>) =>
  and(eq(applicationEvent.applicationId, id), gt(applicationEvent.id, lastEvent));

/**
 * Takes an application back to where it stood before it was decided at `decidedAt`, without a trace of the decision: a
 * correction that nobody had checked is unchecked again.
 */
async function restoreApplication(
  tx: Transaction,
  { id, ...before }: Omit<Before, 'lastEvent'>,
  decidedAt: Date,
): Promise<void> {
  const ofApplication = eq(application.id, id);
  await tx
    .update(applicationCorrection)
    .set({ checkedAt: null })
    .where(
      and(
        eq(applicationCorrection.applicationId, id),
        eq(applicationCorrection.checkedAt, decidedAt),
      ),
    );
  const undecided = {
    decidedAt: null,
    undeliveredSince: null,
    rejectionCode: null,
    rejectionReason: null,
    // Only what was handed in has one.
    ...(before.status === 'pending' && { authorityReference: null }),
  };
  await tx
    .update(application)
    .set({ ...before, ...undecided })
    .where(ofApplication);
}

/** Takes a message back before its email leaves: what it answered is new again. */
async function takeBackMessage(tx: Transaction, undoing: Undoing): Promise<string> {
  const { staff, found, made, at, sealer } = undoing;
  if (!(await withdrawEmails(tx, made.before.emails))) throw new NotUndone('undo_late');
  const words = await removeMessage(tx, sealer, made);
  await markUndone(tx, made.id, at);
  await audit(tx, {
    at,
    staffId: staff.id,
    action: 'message_taken_back',
    subject: { kind: 'application', id: found.id },
    detail: { messageId: made.id },
  });
  return insertDraft(tx, sealer, {
    applicationId: found.id,
    staffId: staff.id,
    kind: 'message',
    seen: found.status,
    fileId: null,
    rejectionCode: null,
    words,
    createdAt: at,
  });
}

/** What the decision did is the last that happened to its applications and to the money of their order. */
async function requireUntouched(tx: Transaction, { staff, found, made }: Undoing): Promise<void> {
  const { before, kind } = made;
  const isOwn = (moment: Date | null) => moment?.getTime() === made.at.getTime();
  for (const { id, lastEvent, status } of before.applications) {
    const events = await tx.select().from(applicationEvent).where(isLaterEvent({ id, lastEvent }));
    const isOurs = events.every((event) => isOwn(event.at) && event.staffId === staff.id);
    const one = id === found.id ? found : await applicationById(tx, id);
    const isDecision = kind !== 'attach' && kind !== 'message';
    const decided = isDecision ? statusMachine.next(status, kind) : status;
    if (!isOurs || one?.status !== decided) throw new NotUndone('undo_changed');
  }
  const order = await lockOrder(tx, found.orderNumber);
  const refunds = order ? await refundsByOrder(tx, order.id) : [];
  const isNew = ({ refund }: (typeof refunds)[number]) =>
    refund.requestedAt >= made.at && !before.refunds.includes(refund.id);
  if (refunds.some(isNew)) throw new NotUndone('undo_changed');
}

/** Gives an unpaid order back what a rejection took out of it, unless its payer has moved on with the rest. */
async function takeBackOrder(
  tx: Transaction,
  { found, made }: Undoing,
  before: NonNullable<DecisionMade['before']['order']>,
): Promise<void> {
  const order = await lockOrder(tx, found.orderNumber);
  const left = (await linesByOrder(tx, before.id)).map(({ id }) => id);
  const gone: (string | undefined)[] = [];
  for (const { id } of made.before.applications) {
    gone.push((await applicationById(tx, id))?.number);
  }
  const stayed = before.lines
    .filter(({ applicationNumber }) => !gone.includes(applicationNumber))
    .map(({ id }) => id);
  const expected = stayed.length > 0 ? stayed : before.lines.map(({ id }) => id);
  const isSame = left.length === expected.length && left.every((id) => expected.includes(id));
  if (!order || order.paidAt || !isSame) throw new NotUndone('undo_changed');
  if (!(await restoreSuperseded(tx, order.number, made.at))) throw new NotUndone('undo_changed');
  await restoreOrder(tx, before);
}

/**
 * Takes back the document of the decision with the links to it; returns its file, which its author can use again. The one
 * that it replaced counts again; without one, an approved visa is undelivered again.
 */
async function takeBackDocument(
  tx: Transaction,
  { staff, found, made }: Undoing,
): Promise<string | null> {
  const document = await currentDocument(tx, found.id);
  const replacedId = made.before.documentId;
  if (!document || document.id === replacedId) return null;
  await tx.delete(downloadLink).where(eq(downloadLink.documentId, document.id));
  await tx.delete(applicationDocument).where(eq(applicationDocument.id, document.id));
  if (replacedId === null) {
    await tx
      .update(application)
      .set({ undeliveredSince: application.decidedAt })
      .where(
        and(
          eq(application.id, found.id),
          eq(application.kind, 'visa'),
          eq(application.status, 'approved'),
        ),
      );
  } else {
    await tx
      .update(applicationDocument)
      .set({ replacedAt: null })
      .where(eq(applicationDocument.id, replacedId));
  }
  const { fileId } = document;
  await releaseUpload(tx, { fileId, applicationId: found.id, staffId: staff.id });
  return fileId;
}

/** The decision as a draft again, so that nothing is typed or uploaded twice. */
async function draftAgain(
  tx: Transaction,
  { staff, found, made, at, sealer }: Undoing,
  fileId: string | null,
): Promise<string | null> {
  const { kind, before } = made;
  if (kind === 'start_processing' || (kind !== 'reject' && fileId === null)) return null;
  const seen = before.applications.find(({ id }) => id === found.id)?.status ?? found.status;
  return insertDraft(tx, sealer, {
    applicationId: found.id,
    staffId: staff.id,
    kind,
    seen,
    fileId,
    rejectionCode: kind === 'reject' ? found.rejectionCode : null,
    words: kind === 'reject' ? found.rejectionReason : null,
    createdAt: at,
  });
}
