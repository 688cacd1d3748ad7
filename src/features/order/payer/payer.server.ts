import { isOwnAttempt, type Initiator } from '~/features/payment/initiator.ts';
import type { Attempt } from '~/features/payment/settlement/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isPayerDevice } from './payer-store.server.ts';
import { sessionHashOf } from './session.server.ts';
import { orderByNumber, type Order } from '../store.server.ts';

/**
 * Whether a browser is the payer's: it made the order, or opened the payer's link from an email. `sessionHash` is
 * `sessionHashOf(platform, request)`. Knowing the order's number is not enough.
 */
export async function isPayer(
  db: Queryable,
  sessionHash: Buffer | null,
  order: Pick<Order, 'id' | 'sessionHash'>,
): Promise<boolean> {
  if (sessionHash === null) return false;
  if (order.sessionHash?.equals(sessionHash)) return true;
  return isPayerDevice(db, { orderId: order.id, sessionHash });
}

/** The role in which a session may pay an order and see its payments. */
export const initiatorOf = async (
  db: Queryable,
  sessionHash: Buffer | null,
  order: Pick<Order, 'id' | 'sessionHash'>,
): Promise<Initiator> => ({
  role: (await isPayer(db, sessionHash, order)) ? 'payer' : 'guest',
  sessionHash,
});

/** The role in which a request's browser may pay an order and see its payments. */
export const initiatorOfRequest = (
  platform: Platform,
  request: Request,
  order: Pick<Order, 'id' | 'sessionHash'>,
): Promise<Initiator> => initiatorOf(platform.db, sessionHashOf(platform, request), order);

/**
 * Whether the browser with the signed address of a checkout redirect may follow it. A payer's contains the payer's
 * name, so only the payer's browsers may; a guest's contains no name.
 */
export async function mayCarry(
  platform: Platform,
  request: Request,
  { begunBy, reference }: Attempt,
): Promise<boolean> {
  if (begunBy === 'guest') return true;
  const order = await orderByNumber(platform.db, reference);
  return order !== null && isPayer(platform.db, sessionHashOf(platform, request), order);
}

/** Whether an attempt is this browser's own: begun by it, or by the payer where it is the payer's. */
export async function ownsAttempt(
  platform: Platform,
  request: Request,
  attempt: Attempt,
): Promise<boolean> {
  const order = await orderByNumber(platform.db, attempt.reference);
  if (!order) return false;
  return isOwnAttempt(attempt, await initiatorOfRequest(platform, request, order));
}
