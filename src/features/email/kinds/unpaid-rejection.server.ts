import { leavingWith, linesLeft } from '~/features/application/leave-order.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { applicationsOfOrder, type Application } from '~/features/application/store.server.ts';
import { insuranceOf } from '~/features/application/travellers.ts';
import { linesOf, type OrderLine } from '~/features/order/order-lines-store.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

/** What rejecting an application changes, or changed, in its unpaid order. */
export type UnpaidRejection = {
  order: Order;
  /** Whether the email about the traveller goes to the payer; it then says what is due, too. */
  isPayers: boolean;
  /** Whether the order holds, or held, more than this application. */
  isOfSeveral: boolean;
  /** All that the order holds or held. */
  together: readonly Application[];
  /** The insurance of the same traveller that leaves with the visa. */
  endsToo: Application | null;
  /** What is due now, in minor units; null where no application is left or the rest is paid. */
  due: { lines: readonly OrderLine[]; amountMinor: number } | null;
};

/** Null where the application was paid. It may be rejected already, or be about to. */
export async function unpaidRejection(
  db: Queryable,
  application: Application,
): Promise<UnpaidRejection | null> {
  const order = await orderByNumber(db, application.orderNumber);
  if (!order || application.paidAt) return null;
  const lines = await linesOf(db, order.id);
  // Paid after the order was closed: refunded like any paid application.
  const isPaidFor = lines.some(({ applicationNumber }) => applicationNumber === application.number);
  if (order.paidAt && isPaidFor) return null;
  const together = await applicationsOfOrder(db, order.number);
  const beside = application.kind === 'visa' ? insuranceOf(together, application) : null;
  const leaving = leavingWith(together, application);
  const endsToo =
    leaving.find(({ id }) => id !== application.id) ??
    (beside?.rejectionCode === 'visa_rejected' ? beside : null);
  const left = linesLeft(lines, endsToo ? [application, endsToo] : [application]);
  const isDue = order.paidAt === null && order.closedAt === null && left.lines.length > 0;
  return {
    order,
    isPayers: reachesPayer(application, order),
    isOfSeveral: together.length > 1,
    together,
    endsToo,
    due: isDue ? left : null,
  };
}
