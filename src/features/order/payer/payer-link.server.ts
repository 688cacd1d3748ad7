import { z } from 'zod';
import { isLanguage } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { PAYER_LINK_DAYS } from './payer-link-days.ts';
import { addPayerDevice } from './payer-store.server.ts';
import { orderById, type Order } from '../store.server.ts';

const PURPOSE = 'payer-link';
const LINK_MS = PAYER_LINK_DAYS * 24 * 3600_000;

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
