import { DAY_MS } from '~/base/dates/dates.ts';
import { isOwnAttempt, type Initiator } from '~/features/payment/initiator.ts';
import type { Attempt } from '~/features/payment/settlement/store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { payerSessionHash } from './session.server.ts';
import { orderByNumber, type Order, orderById } from '../store.server.ts';
import { z } from 'zod';
import { isLanguage } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { PAYER_LINK_DAYS } from './payer-links.ts';
import { and, eq, lt, ne } from 'drizzle-orm';
import { orderPayerDevice } from '../tables.server.ts';
import { retentionStart } from '~/base/retention-periods.ts';

type PayerDevice = typeof orderPayerDevice.$inferInsert;

/** Adds a browser of the order's payer; idempotent. */
export async function addPayerDevice(db: Queryable, device: PayerDevice): Promise<void> {
  await db.insert(orderPayerDevice).values(device).onConflictDoNothing();
}

/**
 * Removes the browsers that opened a payer's link; the browser that made the order stays its payer's. `except`: the
 * session hash of a browser that stays.
 */
export async function dropPayerDevices(
  tx: Transaction,
  orderId: string,
  { except = null }: { except?: Buffer | null } = {},
): Promise<void> {
  await tx
    .delete(orderPayerDevice)
    .where(
      and(
        eq(orderPayerDevice.orderId, orderId),
        except === null ? undefined : ne(orderPayerDevice.sessionHash, except),
      ),
    );
}

/** Deletes browsers whose sessions ended long ago. For a recurring job. */
export async function purgePayerDevices(db: Queryable, now: Date): Promise<void> {
  const since = retentionStart('payerDevice', now);
  await db.delete(orderPayerDevice).where(lt(orderPayerDevice.createdAt, since));
}

/**
 * Whether a browser is the payer's: it made the order, or opened the payer's link from an email. `sessionHash` is
 * `payerSessionHash(platform, request)`. Knowing the order's number is not enough.
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
export const orderInitiator = async (
  db: Queryable,
  sessionHash: Buffer | null,
  order: Pick<Order, 'id' | 'sessionHash'>,
): Promise<Initiator> => ({
  role: (await isPayer(db, sessionHash, order)) ? 'payer' : 'guest',
  sessionHash,
});

/** The role in which a request's browser may pay an order and see its payments. */
export const requestInitiator = (
  platform: Platform,
  request: Request,
  order: Pick<Order, 'id' | 'sessionHash'>,
): Promise<Initiator> => orderInitiator(platform.db, payerSessionHash(platform, request), order);

/**
 * Whether the browser with the signed address of a checkout redirect may follow it. A payer's contains the payer's
 * name, so only the payer's browsers may; a guest's contains no name.
 */
export async function mayFollowRedirect(
  platform: Platform,
  request: Request,
  { begunBy, reference }: Attempt,
): Promise<boolean> {
  if (begunBy === 'guest') return true;
  const order = await orderByNumber(platform.db, reference);
  return order !== null && isPayer(platform.db, payerSessionHash(platform, request), order);
}

/** Whether an attempt is this browser's own: begun by it, or by the payer where it is the payer's. */
export async function ownsAttempt(
  platform: Platform,
  request: Request,
  attempt: Attempt,
): Promise<boolean> {
  const order = await orderByNumber(platform.db, attempt.reference);
  if (!order) return false;
  return isOwnAttempt(attempt, await requestInitiator(platform, request, order));
}

const PURPOSE = 'payer-link';
const LINK_MS = PAYER_LINK_DAYS * DAY_MS;

const named = z.object({ orderId: z.uuid(), emailVersion: z.number() });

/**
 * The address that makes the browser opening it one of the payer's, for 30 days from now: it shows the payer's name and
 * email, continues the payer's payment and may change what is unpaid. Put it into emails to the payer
 * (`order.customerEmail`) only: not on pages, in responses or logs.
 */
export function payerLink(
  { config, signer, now }: Pick<Platform, 'config' | 'signer' | 'now'>,
  order: Pick<Order, 'id' | 'language' | 'emailVersion'>,
): string {
  const language = isLanguage(order.language) ? order.language : 'en';
  const expires = new Date(now().getTime() + LINK_MS);
  const token = signer.sign(
    { orderId: order.id, emailVersion: order.emailVersion },
    PURPOSE,
    expires,
  );
  return `${config.publicUrl}/${language}/my-order/${token}`;
}

/**
 * Opens a payer's link for the browser with this session; returns the order. It only affects that browser: a mail
 * scanner that follows the link gets a session of its own, without using the link up or changing the order.
 */
export async function openPayerLink(
  platform: Pick<Platform, 'db' | 'signer' | 'now'>,
  token: string,
  sessionHash: Buffer,
): Promise<Outcome<Order, 'malformed' | 'expired'>> {
  const now = platform.now();
  const verified = platform.signer.verify(token, PURPOSE, now);
  if (!verified.ok) return refused(verified.reason);
  const parsed = named.safeParse(verified.payload);
  const order = parsed.success ? await orderById(platform.db, parsed.data.orderId) : null;
  if (!order) return refused('malformed');
  // The payer's address has been corrected since the link was sent.
  if (order.emailVersion !== parsed.data?.emailVersion) return refused('expired');
  await addPayerDevice(platform.db, { orderId: order.id, sessionHash, createdAt: now });
  return ok(order);
}

async function isPayerDevice(
  db: Queryable,
  { orderId, sessionHash }: Pick<PayerDevice, 'orderId' | 'sessionHash'>,
): Promise<boolean> {
  const devices = await db.$count(
    orderPayerDevice,
    and(eq(orderPayerDevice.orderId, orderId), eq(orderPayerDevice.sessionHash, sessionHash)),
  );
  return devices > 0;
}
