import {
  lockApplication,
  applicationById,
  applicationsNumbered,
  applicationsOfOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { insuranceOf } from '~/features/application/travellers.ts';
import { lockInsurance } from '~/features/insurance/store/store.server.ts';
import { lockPayments } from '~/features/order/payer/change-order.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';

/**
 * Holds an application, and what pays its order, until the transaction ends. All that touches both takes its locks in one
 * order, so that no two wait for each other: the payments (`lockPayments`), the insurance's row, the application's, and
 * the order's last. A payment that is settled takes the payments first as well; with them held the rest of the order is
 * nobody else's.
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
 * The same for an application that may leave its unpaid order, with the insurance of the same traveller beside a visa:
 * that one would go too.
 */
export async function lockTraveller(
  tx: Transaction,
  applicationId: string,
): Promise<Application | null> {
  const known = await applicationById(tx, applicationId);
  if (known?.kind !== 'visa') return lockCase(tx, applicationId);
  await lockPayments(tx, known.orderNumber);
  const beside = insuranceOf(await applicationsOfOrder(tx, known.orderNumber), known);
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
  // Always in one order: two refunds of one order do not wait for each other.
  for (const { id, kind } of found.toSorted((a, b) => (a.number < b.number ? -1 : 1))) {
    if (kind === 'insurance') await lockInsurance(tx, id);
    const application = await lockApplication(tx, id);
    if (application) held.push(application);
  }
  return held;
}
