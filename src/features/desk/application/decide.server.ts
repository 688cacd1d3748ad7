import { randomUUID } from 'node:crypto';
import { type Outcome, ok, refused } from '~/base/outcome.ts';
import { statusMachine, type ApplicationStatus } from '~/features/application/status-machine.ts';
import {
  addEvent,
  applicationById,
  attachDocument,
  changeReference,
  changeStatus,
  currentDocument,
  type Application,
  applicationsByOrder,
  applicationEvents,
  lockApplication,
} from '~/features/application/store.server.ts';
import { queueEmail, type QueuedEmail } from '~/features/email/ledger/store.server.ts';
import {
  cancelInsurance,
  orderCertificate,
} from '~/features/insurance/certificate/certificate-job.server.ts';
import { askBeforeChange, shortenOrder } from '~/features/order/payer/change-order.server.ts';
import {
  orderByNumber,
  closeOrder,
  lockOrder,
  linesByOrder,
} from '~/features/order/store.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  closeCorrection,
  resumeClock,
} from '~/features/application/correction/correction-store.server.ts';
import {
  deleteApplicationLooks,
  dropClaim,
  validClaims,
} from '~/features/application/claim-store.server.ts';
import { compareDocument } from './match-document.server.ts';
import { isMatch, isRead, needsCheck } from './pdf-rules.ts';
import { samePersonMarks } from './duplicates.server.ts';
import { refundRejection } from '~/features/status/rejection-refund.server.ts';
import {
  readReference,
  type Decision,
  type DecisionError,
  type DecideOptions,
  type Undoable,
  type FirstDecision,
} from './decision-types.ts';
import { beginUndoable, readChangeable, insertUndoable } from './undo-record.server.ts';
import {
  lockCase,
  lockTraveller,
  rejectBecause,
  isBeingRefunded,
} from '~/features/status/end-case.server.ts';
import { claimUpload } from './store.server.ts';
import { applicationsLeaving, linesLeft } from '~/features/application/leave-order.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import {
  rejectionCodesByKind,
  hasRejectionText,
  type Rejection,
} from '~/features/application/rejection.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import { actionRefusal, caseActions, type CaseAction } from './case-actions.ts';

/** Refuses a decision while somebody else is working on the application. */
export async function refuseClaimed(tx: Transaction, staff: Staff, id: string, now: Date) {
  const held = (await validClaims(tx, [id], now)).get(id);
  if (!held || held.staffId === staff.id) return;
  const names = await staffNames(tx, [held.staffId]);
  const name = names.get(held.staffId) ?? '?';
  throw new DecisionRefused({ code: 'claimed', name, until: held.expiresAt });
}

/** Why the table of actions does not permit one in an application's present state; null where it does. */
export async function tableRefusal(
  db: Queryable,
  staff: Staff,
  found: Application,
  action: CaseAction,
): Promise<DecisionError | null> {
  const facts = { status: found.status, paid: found.paidAt !== null };
  const refusal = actionRefusal(action, facts, staff.role);
  return refusal === 'stale' ? staleness(db, found) : refusal && { code: refusal };
}

/**
 * Refuses what the table of actions does not permit.
 * @throws Refusal
 */
export async function refuseByTable(...asked: Parameters<typeof tableRefusal>): Promise<void> {
  const refusal = await tableRefusal(...asked);
  if (refusal) throw new DecisionRefused(refusal);
}

/** The reason of a rejection in its stored form. */
export const toRejection = ({
  code = 'other',
  reason = '',
}: Extract<Decision, { kind: 'reject' }>): Rejection => ({ code, words: reason.trim() || null });

/**
 * Why a decision is not possible in an application's present state; null where it is. Form, draft and call all use it.
 * Payments for a closed order pay no application, so staff do not work on them.
 */
export async function decisionRefusal(
  db: Queryable,
  staff: Staff,
  found: Application,
  decision: Decision,
): Promise<DecisionError | null> {
  const { kind } = decision;
  const hasDocument = kind === 'attach' && (await currentDocument(db, found.id)) !== null;
  const facts = { status: found.status, paid: found.paidAt !== null, hasDocument };
  const refusal = actionRefusal(kind, facts, staff.role);
  const hasMoved = kind !== 'attach' && (decision.seen ?? found.status) !== found.status;
  if (refusal === 'forbidden') return { code: refusal };
  if (refusal === 'stale' || hasMoved) return staleness(db, found);
  if (refusal !== null) return { code: refusal };
  if (kind === 'attach')
    return decision.fileId === undefined ? { code: 'document_required' } : null;
  if (kind === 'start_processing' && !readReference(decision.reference ?? '').ok)
    return { code: 'reference_unreal' };
  if (kind !== 'reject') {
    const order = await orderByNumber(db, found.orderNumber);
    return order && (await isBeingRefunded(db, order, found)) ? { code: 'refunded' } : null;
  }
  const { code, words } = toRejection(decision);
  const mayLackReason = found.kind === 'insurance' && decision.mayLackReason === true;
  if (!hasRejectionText(code) && words === null && !mayLackReason)
    return { code: 'reason_required' };
  return rejectionCodesByKind(found.kind).includes(code) ? null : { code: 'reason_unknown' };
}

/** Who changed the application to its present status. */
export async function staleness(db: Queryable, found: Application): Promise<DecisionError> {
  const events = await applicationEvents(db, found.id);
  const event = events.findLast(({ kind }) => kind === found.status);
  const names = await staffNames(db, event?.staffId ? [event.staffId] : []);
  const first: FirstDecision | null = event
    ? { name: (event.staffId && names.get(event.staffId)) || null, at: event.at }
    : null;
  return { code: 'stale', status: found.status, first };
}

/** Rolls the transaction back and carries the reason. */
export class DecisionRefused extends Error {
  readonly error: DecisionError;
  constructor(error: DecisionError) {
    super(error.code);
    this.error = error;
  }
}

export async function refusable(
  db: Platform['db'],
  work: (tx: Transaction) => Promise<Application>,
): Promise<Outcome<Application, DecisionError>> {
  try {
    return ok(await db.transaction(work));
  } catch (error) {
    if (error instanceof DecisionRefused) return refused(error.error);
    throw error;
  }
}

type Deciding = Pick<Platform, 'db' | 'now' | 'sealer'>;

/**
 * One decision in one transaction: status, document, audit entry and the email's job are stored together or not at all.
 * Of two people at once one succeeds; the other is told who was first. `undoable`: the email leaves, and a refund is
 * sent, after the author's `undoSeconds`; until then they can undo it.
 */
export function decideApplication(
  { db, now, sealer }: Deciding,
  staff: Staff,
  { applicationId, ...decision }: { applicationId: string } & Decision,
  { undoable = false }: DecideOptions = {},
): Promise<Outcome<Application, DecisionError>> {
  return refusable(db, async (tx) => {
    const lock = decision.kind === 'reject' ? lockTraveller : lockCase;
    const found = await lock(tx, applicationId);
    if (!found) throw new DecisionRefused({ code: 'not_found' });
    const refusal = await decisionRefusal(tx, staff, found, decision);
    if (refusal) throw new DecisionRefused(refusal);
    const at = now();
    const { kind } = decision;
    const undo = undoable ? beginUndoable(at, staff) : null;
    const stood = undo && (await readChangeable(tx, found, kind));
    const deciding = { tx, staff, found, at, sealer, undo };
    const decided = await (decision.kind === 'attach'
      ? attach(deciding, decision)
      : changeTo(deciding, decision, statusMachine.next(found.status, decision.kind)));
    if (undo && stood)
      await insertUndoable(tx, undo, { found, staff, kind, at, changeable: stood });
    return decided;
  });
}

/**
 * Before an unpaid application is rejected, asks the providers about its order's open attempts, so that a payment just
 * made is known. A missing answer does not delay the decision; a capture that turns up later is refunded. Once is enough
 * for all of an order.
 */
export async function askBeforeRejection(
  platform: Platform,
  payments: Payments,
  { paidAt, orderNumber }: Pick<Application, 'paidAt' | 'orderNumber'>,
): Promise<void> {
  if (!paidAt) await askBeforeChange(platform, payments, orderNumber);
}

/** `decideApplication` for callers that can wait for a provider: see `askBeforeRejection`. */
export async function askAndDecide(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  decision: { applicationId: string } & Decision,
): Promise<Outcome<Application, DecisionError>> {
  if (decision.kind === 'reject') {
    const found = await applicationById(platform.db, decision.applicationId);
    if (found) await askBeforeRejection(platform, payments, found);
  }
  return decideApplication(platform, staff, decision);
}

/** A locked application whose decision is possible. */
type Locked = {
  tx: Transaction;
  staff: Staff;
  found: Application;
  at: Date;
  sealer: Deciding['sealer'];
  /** Null for a decision that is final at once. */
  undo: Undoable | null;
};

/** Queues an email about a decision; it leaves when the decision can no longer be undone. */
async function queue(
  { tx, at, undo }: Pick<Locked, 'tx' | 'at' | 'undo'>,
  email: Pick<QueuedEmail, 'kind' | 'about'>,
): Promise<void> {
  const id = await queueEmail(tx, { ...email, createdAt: at, dueAt: undo?.until });
  undo?.emails.push(id);
}

async function changeTo(
  deciding: Locked,
  decision: Exclude<Decision, { kind: 'attach' }>,
  to: ApplicationStatus | null,
): Promise<Application> {
  const { tx, staff, found, at, undo } = deciding;
  const { kind } = decision;
  const isDuplicate = kind === 'approve' && (await samePersonMarks(tx, [found.id])).size > 0;
  if (kind === 'approve' && decision.hasCheckedDuplicates === false && isDuplicate)
    throw new DecisionRefused({ code: 'possible_duplicate' });
  await refuseClaimed(tx, staff, found.id, at);
  const isEnd = kind !== 'start_processing';
  const closed = isEnd ? await closeCorrection(tx, found.id, at) : null;
  if (closed !== null) {
    undo?.corrections.push(closed);
    // Ends an open correction; the time of the pause is added to the promised moment all the same.
    await resumeClock(tx, found, at);
  }
  const rejection = kind === 'reject' ? toRejection(decision) : undefined;
  const change = { id: found.id, from: found.status, at, staffId: staff.id };
  const reference = kind === 'start_processing' ? readReference(decision.reference ?? '') : null;
  const authorityReference = reference?.ok ? reference.value : undefined;
  const changed = to && (await changeStatus(tx, { ...change, to, rejection, authorityReference }));
  if (!changed) throw new DecisionRefused(await staleness(tx, found));
  const fileId = kind === 'approve' ? decision.fileId : undefined;
  const delivered = await deliver(deciding, kind === 'approve' ? decision : {});
  await audit(tx, {
    at,
    staffId: staff.id,
    action: caseActions[kind].audit,
    subject: { kind: 'application', id: found.id },
    detail: {
      from: found.status,
      fileId: fileId ?? null,
      ...delivered?.checked,
      ...(isDuplicate && { possibleDuplicate: true }),
      ...(rejection && { reason: rejection.code }),
    },
  });
  if (isEnd) await dropClaim(tx, found.id);
  else await deleteApplicationLooks(tx, found.id);
  if (kind === 'reject') await applyRejection(deciding, changed);
  if (found.kind === 'insurance' && kind === 'approve' && !delivered) {
    // The certificate's job queues the email.
    await orderCertificate(tx, found.id, undo?.delayMs);
  } else if (
    to === 'approved' ||
    to === 'rejected' ||
    // The email says that it was handed to the authorities, which no insurance is.
    (to === 'processing' && found.kind === 'visa')
  ) {
    await queue(deciding, { kind: to, about: found.id });
  }
  return changed;
}

/** Adds or corrects the authority's reference of an application that was handed in; '' removes it. */
export function setReference(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Staff,
  { applicationId, typed }: { applicationId: string; typed: string },
): Promise<Outcome<Application, DecisionError>> {
  return refusable(db, async (tx) => {
    const at = now();
    const found = await lockApplication(tx, applicationId);
    if (!found) throw new DecisionRefused({ code: 'not_found' });
    await refuseByTable(tx, staff, found, 'set_reference');
    await refuseClaimed(tx, staff, found.id, at);
    const reference = readReference(typed);
    if (!reference.ok) throw new DecisionRefused({ code: reference.error });
    if (reference.value === found.authorityReference) return found;
    await changeReference(tx, found.id, reference.value);
    await audit(tx, {
      at,
      staffId: staff.id,
      action: caseActions.set_reference.audit,
      subject: { kind: 'application', id: found.id },
    });
    return found;
  });
}

/**
 * What a rejection does to the order and an insurance: an unpaid order continues without it, of a paid one is refunded
 * what follows from the rejection.
 */
async function applyRejection(
  { tx, staff, found, at, undo }: Locked,
  { rejectionCode: code }: Application,
): Promise<void> {
  const order = await orderByNumber(tx, found.orderNumber);
  const paid = Boolean(order?.paidAt);
  if (!paid) await leaveOrder(tx, staff, found, at, undo);
  if (found.kind === 'insurance') await cancelInsurance(tx, found.id, at);
  if (!paid) return;
  const refundId = await refundRejection(tx, found, { code, at }, { delayMs: undo?.delayMs });
  if (refundId !== null) undo?.refunds.push(refundId);
}

/** The email about a document that is delivered after the approval, or replaces an earlier one. */
async function attach(
  deciding: Locked,
  decision: Extract<Decision, { kind: 'attach' }>,
): Promise<Application> {
  const { tx, staff, found, at } = deciding;
  const replaced = await currentDocument(tx, found.id);
  const delivered = await deliver(deciding, decision);
  if (!delivered) throw new DecisionRefused({ code: 'document_required' });
  await audit(tx, {
    at,
    staffId: staff.id,
    action: caseActions.attach.audit,
    subject: { kind: 'application', id: found.id },
    detail: {
      fileId: decision.fileId ?? null,
      replacedFileId: replaced?.fileId ?? null,
      ...delivered.checked,
    },
  });
  await dropClaim(tx, found.id);
  await queue(deciding, { kind: 'document', about: delivered.id });
  return found;
}

/** `differing`: the facts that were not found in it, with spaces between. */
type Checked = {
  documentCheck: 'match' | 'differs' | 'unread';
  differing?: string;
  sameFileElsewhere: number;
};

/** Delivers the document of a decision; null where it has none. */
async function deliver(
  { tx, staff, found, at, sealer, undo }: Locked,
  { fileId, hasCompared }: { fileId?: string | undefined; hasCompared?: boolean | undefined },
): Promise<{ id: string; checked: Checked } | null> {
  if (fileId === undefined) return null;
  const comparison = await compareDocument({ db: tx, sealer }, found, fileId);
  const file = await claimUpload(
    tx,
    { fileId, applicationId: found.id, staffId: staff.id },
    { keepText: undo !== null },
  );
  if (!file || !comparison) throw new DecisionRefused({ code: 'unknown_document' });
  if (hasCompared === false && needsCheck(comparison))
    throw new DecisionRefused({ code: 'document_differs' });
  const id = randomUUID();
  await attachDocument(tx, {
    id,
    applicationId: found.id,
    fileId,
    mediaType: 'application/pdf',
    size: file.size,
    createdAt: at,
    staffId: staff.id,
    contentHash: file.contentHash,
    validFrom: comparison.validity?.from,
    validUntil: comparison.validity?.until,
  });
  await addEvent(tx, {
    applicationId: found.id,
    kind: 'document_attached',
    at,
    staffId: staff.id,
  });
  const sameFileElsewhere = comparison.usedFor.length;
  if (!isRead(comparison)) return { id, checked: { documentCheck: 'unread', sameFileElsewhere } };
  if (isMatch(comparison)) return { id, checked: { documentCheck: 'match', sameFileElsewhere } };
  const differing = comparison.fields.flatMap(({ fact, mark }) => (mark === 'match' ? [] : fact));
  const checked = { documentCheck: 'differs', differing: differing.join(' ') } as const;
  return { id, checked: { ...checked, sameFileElsewhere } };
}

/**
 * Removes a rejected application from its unpaid order, and with a visa the insurance of the same traveller. The rest
 * stays payable at its quoted prices; the order is closed when no application is left. A payer who is not the traveller
 * gets an email too. Needs the locks of `lockTraveller`.
 */
async function leaveOrder(
  tx: Transaction,
  staff: Staff,
  rejected: Application,
  at: Date,
  undo: Undoable | null,
): Promise<void> {
  const together = await applicationsByOrder(tx, rejected.orderNumber);
  const order = await lockOrder(tx, rejected.orderNumber);
  if (!order) return;
  const leaving = applicationsLeaving(together, rejected);
  for (const one of leaving) {
    if (one.id === rejected.id) continue;
    const because = { visa: rejected.number };
    await rejectBecause(tx, staff.id, one, { code: 'visa_rejected', because }, at);
    await cancelInsurance(tx, one.id, at);
  }
  const left = linesLeft(await linesByOrder(tx, order.id), leaving);
  if (left.lines.length === 0) await closeOrder(tx, order.number, at);
  else if (!order.closedAt) await shortenOrder(tx, order, left, at);
  if (!reachesPayer(rejected, order)) {
    const about = rejected.id;
    const email = { kind: 'rejected_payer', about, createdAt: at, dueAt: undo?.until } as const;
    const emailId = await queueEmail(tx, email);
    undo?.emails.push(emailId);
  }
}
