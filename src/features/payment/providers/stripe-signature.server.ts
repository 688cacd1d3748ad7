import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RawNotification } from '../provider.ts';

/** How far the time of a signature may be from ours, in seconds, before or after; Stripe's own libraries allow as much. */
export const TOLERANCE_SECONDS = 300;

/** The signature of a webhook: HMAC-SHA256 over `<seconds>.<exact body>`, in hexadecimal. */
export const stripeSignature = (secret: string, seconds: number, body: Buffer): string =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');

/**
 * Checks `Stripe-Signature` (`t=<seconds>,v1=<hex>,v1=…`); never throws. While a secret is rolled, Stripe signs with the
 * old and the new one, and we may have either or both: any pair that fits is enough. Schemes other than `v1` (`v0` is
 * for tests) count for nothing.
 */
export function isFromStripe(
  { headers, body }: RawNotification,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = (headers.get('stripe-signature') ?? '').split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [time = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(time)) return false;
  const seconds = Number(time);
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return false;
  const given = valuesOf('v1').map((value) => Buffer.from(value));
  return secrets.some((secret) => {
    const expected = Buffer.from(stripeSignature(secret, seconds, body));
    return given.some(
      (value) => value.length === expected.length && timingSafeEqual(value, expected),
    );
  });
}
