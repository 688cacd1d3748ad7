import { randomUUID } from 'node:crypto';
import { type Outcome } from '~/base/outcome.ts';
import { type Rejection, type RejectionCode } from '~/features/application/rejection.ts';
import { statusMachine, type StatusEvent } from '~/features/application/status-machine.ts';
import {
  addEvent,
  attachDocument,
  changeStatus,
  currentDocument,
  type Application,
} from '~/features/application/store.server.ts';
import {
  cancelInsurance,
  orderCertificate,
} from '~/features/insurance/certificate/certificate-job.server.ts';
import { closeOrder, orderByNumber } from '~/features/order/store.server.ts';
import { audit, type AuditAction } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { closeCorrection } from '~/features/application/correction/correction-store.server.ts';
import { resumeClock } from '~/features/application/pause-store.server.ts';
import { dropClaim } from '../records/claim-store.server.ts';
import { compareDocument } from '../visa-document/compare-document.server.ts';
import { needsALook } from '../visa-document/comparison.ts';
import { isBeingRefunded } from '../records/end-case.server.ts';
import {
  Refusal,
  refusable,
  refusalOf,
  refuseClaimed,
  staleness,
} from './decide-refusal.server.ts';
import { returnPremium } from '../refunds/refunds.server.ts';
import type { Decision, DecisionError } from './decision.ts';
import { lockCase } from '../records/lock-case.server.ts';
import { claimUpload } from '../records/store.server.ts';

type Deciding = Pick<Platform, 'db' | 'now' | 'sealer'>;

/**
 * A document to deliver: the id of an upload. `hasCompared`: whether a person said to have looked at a PDF that seems to
 * be another traveller's; false refuses such a one. The calls leave it out: they show nobody a comparison.
 */
type Delivery = { fileId: string; hasCompared?: boolean | undefined };
type OptionalDelivery = { [K in keyof Delivery]?: Delivery[K] | undefined };
type Decided = Promise<Outcome<Application, DecisionError>>;

/** Approves, with a document or without one. `fileId` is the id of an upload. */
export const approve = (
  platform: Deciding,
  staff: Staff,
  asked: Decision & OptionalDelivery,
): Decided => decide(platform, staff, 'approve', asked);

/**
 * Rejects. What is sent to the traveller is the reason from the list, in their language, and `reason` as it was written;
 * without a code the words are the reason.
 */
export function reject(
  platform: Deciding,
  staff: Staff,
  asked: Decision & { code?: RejectionCode | undefined; reason?: string | undefined },
): Decided {
  const { code = 'other', reason = '', ...rest } = asked;
  const words = reason.trim() || null;
  return decide(platform, staff, 'reject', { ...rest, rejection: { code, words } });
}

/** Says that the application has been handed to the authorities. */
export const startProcessing = (platform: Deciding, staff: Staff, asked: Decision): Decided =>
  decide(platform, staff, 'start_processing', asked);

const audited: Record<StatusEvent, AuditAction> = {
  start_processing: 'processing_started',
  approve: 'approved',
  reject: 'rejected',
};

/**
 * One decision, one transaction: status, document, trace and the job that writes the e-mail are stored together or not
 * at all. Of two people at once one wins; the other is told who was first.
 */
async function decide(
  { db, now, sealer }: Deciding,
  staff: Staff,
  event: StatusEvent,
  asked: Decision & OptionalDelivery & { rejection?: Rejection },
): Decided {
  return refusable(db, async (tx) => {
    const found = await lockCase(tx, asked.applicationId);
    if (!found) throw new Refusal({ code: 'not_found' });
    const to = statusMachine.next(found.status, event);
    const isStale = asked.seen !== undefined && asked.seen !== found.status;
    if (to === null || isStale) throw new Refusal(await staleness(tx, found));
    const at = now();
    await refuseClaimed(tx, staff, found.id, at);
    const order = await orderByNumber(tx, found.orderNumber);
    const paid = Boolean(order?.paidAt);
    const refusal = refusalOf(found, event, asked.rejection);
    if (refusal) throw new Refusal(refusal);
    if (event !== 'reject' && order && (await isBeingRefunded(tx, order, found))) {
      throw new Refusal({ code: 'refunded' });
    }

    if (to !== 'processing' && (await closeCorrection(tx, found.id, at))) {
      // Nobody has to answer any more; what was promised has moved all the same.
      await resumeClock(tx, found, at);
    }
    const change = { id: found.id, from: found.status, to, at, staffId: staff.id };
    const changed = await changeStatus(tx, { ...change, rejection: asked.rejection });
    if (!changed) throw new Refusal(await staleness(tx, found));
    const { fileId, hasCompared } = asked;
    const delivered =
      fileId === undefined
        ? null
        : await deliver(tx, staff, { found, fileId, hasCompared, at, sealer });
    await audit(tx, {
      at,
      staffId: staff.id,
      action: audited[event],
      subject: { kind: 'application', id: found.id },
      detail: {
        from: found.status,
        fileId: fileId ?? null,
        ...delivered?.checked,
        ...(asked.rejection && { reason: asked.rejection.code }),
      },
    });
    if (to !== 'processing') await dropClaim(tx, found.id);
    if (event === 'reject' && !paid) await closeOrder(tx, found.orderNumber, at);
    const isInsurance = found.kind === 'insurance';
    if (isInsurance && event === 'reject') {
      await cancelInsurance(tx, found.id, at);
      if (paid) await returnPremium(tx, found, at);
    }
    if (isInsurance && event === 'approve' && !delivered) {
      // The traveller is told once the certificate is there.
      await orderCertificate(tx, found.id);
    } else if (event !== 'start_processing') {
      await enqueue(tx, 'application.decided', { applicationId: found.id });
    }
    return changed;
  });
}

/** Delivers a document after the approval, in place of an earlier one if there is any; the traveller is told. */
export async function attach(
  { db, now, sealer }: Deciding,
  staff: Staff,
  asked: { applicationId: string } & Delivery,
): Decided {
  return refusable(db, async (tx) => {
    const found = await lockCase(tx, asked.applicationId);
    if (!found) throw new Refusal({ code: 'not_found' });
    if (found.status !== 'approved') throw new Refusal({ code: 'not_approved' });
    const replaced = await currentDocument(tx, found.id);
    if (replaced && !may(staff.role, 'replace_document')) throw new Refusal({ code: 'forbidden' });
    const at = now();
    const { id: documentId, checked } = await deliver(tx, staff, { found, ...asked, at, sealer });
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'document_attached',
      subject: { kind: 'application', id: found.id },
      detail: { fileId: asked.fileId, replacedFileId: replaced?.fileId ?? null, ...checked },
    });
    await enqueue(tx, 'application.document', { applicationId: found.id, documentId });
    return found;
  });
}

type Checked = { documentCheck: 'match' | 'differs' | 'unread'; sameFileElsewhere: number };

async function deliver(
  tx: Transaction,
  staff: Staff,
  {
    found,
    fileId,
    hasCompared,
    at,
    sealer,
  }: Delivery & { found: Application; at: Date; sealer: Deciding['sealer'] },
): Promise<{ id: string; checked: Checked }> {
  const comparison = await compareDocument({ db: tx, sealer }, found, fileId);
  const file = await claimUpload(tx, { fileId, applicationId: found.id, staffId: staff.id });
  if (!file || !comparison) throw new Refusal({ code: 'unknown_document' });
  if (hasCompared === false && needsALook(comparison))
    throw new Refusal({ code: 'document_differs' });
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
  });
  await addEvent(tx, {
    applicationId: found.id,
    kind: 'document_attached',
    at,
    staffId: staff.id,
  });
  const { match, usedFor } = comparison;
  const isSame = match !== null && !Object.values(match).includes(false);
  return {
    id,
    checked: {
      documentCheck: match === null ? 'unread' : isSame ? 'match' : 'differs',
      sameFileElsewhere: usedFor.length,
    },
  };
}
