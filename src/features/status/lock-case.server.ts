import {
  lockApplication,
  applicationById,
  applicationsNumbered,
  applicationsByOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import { lockInsurance } from '~/features/insurance/store/store.server.ts';
import { lockPayments } from '~/features/order/payer/change-order.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';

/**
 * Locks an application and the payments of its order until the transaction ends. All code that needs both takes its
 * locks in one order, so that there are no deadlocks: the payments (`lockPayments`), the insurance's row, the
 * application's, the order's last. Settling a payment takes the payments first as well, so with them locked the rest of
 * the order is free.
 */
export async function lockCase(
  tx: Transaction,
  applicationId: string,
): Promise<Application | null> {
  const known = await applicationById(tx, applicationId);
  if (!known) return null;
  await lockPayments(tx, known.orderNumber);
  await lockInsurance(tx, applicationId);
  return lockApplication(tx, applicationId);
}

/**
 * The same for an application that may leave its unpaid order: with a visa also the insurance of the same traveller,
 * which would leave too.
 */
export async function lockTraveller(
  tx: Transaction,
  applicationId: string,
): Promise<Application | null> {
  const known = await applicationById(tx, applicationId);
  if (known?.kind !== 'visa') return lockCase(tx, applicationId);
  await lockPayments(tx, known.orderNumber);
  const beside = travellerInsurance(await applicationsByOrder(tx, known.orderNumber), known);
  if (beside) {
    await lockInsurance(tx, beside.id);
    await lockApplication(tx, beside.id);
  }
  return lockApplication(tx, applicationId);
}

/** The same for applications of one order. */
export async function lockCases(
  tx: Transaction,
  numbers: readonly string[],
): Promise<Application[]> {
  const held: Application[] = [];
  const found = await applicationsNumbered(tx, [...numbers]);
  const orders = new Set(found.map(({ orderNumber }) => orderNumber));
  for (const orderNumber of [...orders].toSorted()) await lockPayments(tx, orderNumber);
  // In one order, so that two refunds of one order do not deadlock.
  for (const { id, kind } of found.toSorted((a, b) => (a.number < b.number ? -1 : 1))) {
    if (kind === 'insurance') await lockInsurance(tx, id);
    const application = await lockApplication(tx, id);
    if (application) held.push(application);
  }
  return held;
}
