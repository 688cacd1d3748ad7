import { generateKeyPairSync } from 'node:crypto';

let stranger: string | undefined;

/** A key that the merchant does not know, for wrong signatures. */
export function untrustedKey(): string {
  stranger ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  return stranger;
}
