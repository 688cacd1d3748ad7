import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/**
 * The most bits of entropy that a text can hold, by how often its characters occur; what repeats itself counts once.
 */
export function bitsOf(text: string): number {
  const unit = text.slice(0, periodOf(Array.from(text)));
  const times = new Map<string, number>();
  for (const sign of unit) times.set(sign, (times.get(sign) ?? 0) + 1);
  const perSign = [...times.values()]
    .map((count) => count / unit.length)
    .reduce((sum, share) => sum - share * Math.log2(share), 0);
  return perSign * unit.length;
}

/** Whether 32 bytes look random: many different ones, without a pattern. */
export function isRandomKey(key: Uint8Array): boolean {
  const steps = [...key].map((byte, index) => (byte - (key[index - 1] ?? 0) + 256) % 256);
  const isPattern = new Set(steps.slice(1)).size < 8 || periodOf([...key]) <= key.length / 2;
  // Of 32 random bytes, fewer than 20 differ once in more than 10^9 draws.
  return new Set(key).size >= 20 && !isPattern;
}

/** The length of the shortest beginning of which the whole is a repetition; the whole length where nothing repeats. */
function periodOf(list: readonly unknown[]): number {
  for (let period = 1; period <= list.length / 2; period += 1) {
    if (list.every((one, index) => index < period || one === list[index - period])) return period;
  }
  return list.length;
}

/** What can be read of a key in PEM, private or public; null where it is none. */
export function readKey(pem: string, kind: 'private' | 'public'): KeyObject | null {
  try {
    return kind === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    return null;
  }
}

/** RSA below 2048 bits is broken or soon will be (NIST SP 800-131A); other kinds have no such measure. */
export function isShortRsa(key: KeyObject): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return bits !== undefined && bits < 2048;
}

/** A public key in one form, to compare it; of a private one its public half. */
export const publicHalf = (key: KeyObject): string =>
  (key.type === 'private' ? createPublicKey(key) : key)
    .export({ type: 'spki', format: 'der' })
    .toString('base64');
