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
 * The address that makes whoever opens it the payer of an order on that device, for 30 days from now: they see the payer's
 * name and e-mail, go on with the payer's payment and may change what is not paid. Put it into e-mails to the payer
 * (`order.customerEmail`) and nowhere else: no page, no answer of a call, no log.
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
 * Opens a payer's link for the browser with this session; answers the order. It only binds that browser: a mail scanner
 * that follows the link gets a session of its own, and neither uses the link up nor changes the order.
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
  // The address that it went to was corrected since.
  if (order.emailVersion !== parsed.data?.emailVersion) return refused('expired');
  await addPayerDevice(platform.db, { orderId: order.id, sessionHash, createdAt: now });
  return ok(order);
}
