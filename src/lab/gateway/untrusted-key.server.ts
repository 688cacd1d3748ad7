import { generateKeyPairSync } from 'node:crypto';

let made: string | undefined;

/** A key that the merchant does not know, for wrong signatures. */
export function untrustedKey(): string {
  made ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  return made;
}
