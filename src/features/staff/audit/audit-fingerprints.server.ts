import { createHash } from 'node:crypto';
import { contentText, type SealedEntry } from './audit-chain.ts';
import type { Fingerprint } from './audit-day.ts';

const ID_BYTES = 8;
/** Half a SHA-256, enough to tell entries of one day apart; the whole list is sealed. */
const PRINT_BYTES = 16;
const EACH = ID_BYTES + PRINT_BYTES;

export const fingerprintOf = (entry: SealedEntry): Fingerprint => ({
  id: entry.id,
  print: createHash('sha256')
    .update(contentText(entry))
    .digest('hex')
    .slice(0, 2 * PRINT_BYTES),
});

/** Fingerprints as stored with the seal: 8 bytes of number and 16 of digest each. */
export function packFingerprints(prints: readonly Fingerprint[]): Buffer {
  const packed = Buffer.alloc(prints.length * EACH);
  prints.forEach(({ id, print }, index) => {
    packed.writeBigUInt64BE(BigInt(id), index * EACH);
    packed.write(print, index * EACH + ID_BYTES, 'hex');
  });
  return packed;
}

export function unpackFingerprints(packed: Buffer): Fingerprint[] {
  return Array.from({ length: Math.floor(packed.length / EACH) }, (_, index) => {
    const entry = packed.subarray(index * EACH, (index + 1) * EACH);
    return {
      id: Number(entry.readBigUInt64BE()),
      print: entry.subarray(ID_BYTES).toString('hex'),
    };
  });
}
