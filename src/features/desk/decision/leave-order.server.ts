import { leavingWith, linesLeft } from '~/features/application/leave-order.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { applicationsOfOrder, type Application } from '~/features/application/store.server.ts';
import { queueEmail } from '~/features/email/ledger/queue.server.ts';
import { cancelInsurance } from '~/features/insurance/certificate/certificate-job.server.ts';
import { shortenOrder } from '~/features/order/payer/change-order.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { closeOrder, lockOrder } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { rejectBecause } from '~/features/cancellation/end-case.server.ts';
import type { Undoable } from './undoable.ts';

/**
 * Removes a rejected application from its unpaid order, and with a visa the insurance of the same traveller. The rest
 * stays payable at its quoted prices; the order is closed when no application is left. A payer who is not the traveller
 * gets an email too. Needs the locks of `lockTraveller`.
 */
export async function leaveOrder(
  tx: Transaction,
  staff: Staff,
  rejected: Application,
  at: Date,
  undo: Undoable | null,
): Promise<void> {
  const together = await applicationsOfOrder(tx, rejected.orderNumber);
  const order = await lockOrder(tx, rejected.orderNumber);
  if (!order) return;
  const leaving = leavingWith(together, rejected);
  for (const one of leaving) {
    if (one.id === rejected.id) continue;
    const because = { visa: rejected.number };
    await rejectBecause(tx, staff.id, one, { code: 'visa_rejected', because }, at);
    await cancelInsurance(tx, one.id, at);
  }
  const left = linesLeft(await linesOf(tx, order.id), leaving);
  if (left.lines.length === 0) await closeOrder(tx, order.number, at);
  else if (!order.closedAt) await shortenOrder(tx, order, left, at);
  if (!reachesPayer(rejected, order)) {
    const about = rejected.id;
    const email = { kind: 'rejected_payer', about, createdAt: at, dueAt: undo?.until } as const;
    const emailId = await queueEmail(tx, email);
    undo?.emails.push(emailId);
  }
}
