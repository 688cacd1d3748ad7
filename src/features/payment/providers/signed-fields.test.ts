import crypto, { generateKeyPairSync } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, it, vi } from 'vitest';
import { isSigned, signFields } from './signed-fields.server.ts';

const makePair = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const { publicKey } = makePair(2048);

afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('reads each key once, however much is signed and checked', () => {
  // A pair that nobody has signed with yet.
  const { privateKey, publicKey } = makePair(2048);
  const readPrivate = vi.spyOn(crypto, 'createPrivateKey');
  const readPublic = vi.spyOn(crypto, 'createPublicKey');
  syncBuiltinESMExports();
  for (let count = 0; count < 20; count += 1) {
    const signed = signFields({ orderRef: `${count}`, amount: '94.00' }, privateKey, 'sha256');
    expect(isSigned(signed, [publicKey], 'sha256')).toBe(true);
    expect(isSigned({ ...signed, amount: '93.00' }, [publicKey], 'sha256')).toBe(false);
  }
  expect(readPrivate).toHaveBeenCalledTimes(1);
  expect(readPublic).toHaveBeenCalledTimes(1);
});

it('goes on signing and checking with more keys than are kept', () => {
  const pairs = Array.from({ length: 20 }, () => makePair(1024));
  for (const pair of [...pairs, ...pairs]) {
    const signed = signFields({ amount: '94.00' }, pair.privateKey, 'sha256');
    expect(isSigned(signed, [pair.publicKey], 'sha256')).toBe(true);
    expect(isSigned(signed, [publicKey], 'sha256')).toBe(false);
  }
});
