import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RawNotification } from '../provider.ts';
import type { CertificateKey } from './paypal-certificates.server.ts';

/**
 * The text that PayPal signs. It contains the CRC-32 of the exact bytes in decimal, so a body that was parsed and
 * serialised again does not match.
 */
export const signedText = (signed: {
  transmissionId: string;
  transmissionTime: string;
  webhookId: string;
  body: Buffer;
}): string =>
  [signed.transmissionId, signed.transmissionTime, signed.webhookId, crc32(signed.body)].join('|');

/** Checks PayPal's signature (RSA with SHA-256) of a webhook; never throws. */
export async function isFromPaypal(
  { headers, body, mayFetch }: RawNotification,
  webhookId: string,
  keyAt: (address: string, mayFetch: () => Promise<boolean>) => Promise<CertificateKey>,
): Promise<'yes' | 'no' | 'unavailable'> {
  const header = (name: string) => headers.get(`paypal-${name}`) ?? '';
  const transmissionId = header('transmission-id');
  const transmissionTime = header('transmission-time');
  const signature = header('transmission-sig');
  if (!transmissionId || !transmissionTime || !signature) return 'no';
  if (header('auth-algo') !== 'SHA256withRSA') return 'no';
  const key = await keyAt(header('cert-url'), mayFetch);
  if (key === 'unavailable') return 'unavailable';
  if (key === 'refused' || key.asymmetricKeyType !== 'rsa') return 'no';
  const text = signedText({ transmissionId, transmissionTime, webhookId, body });
  const isSigned = verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
  return isSigned ? 'yes' : 'no';
}
