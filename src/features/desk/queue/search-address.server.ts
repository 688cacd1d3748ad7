import type { Platform } from '~/platform/platform.server.ts';
import { UnsealError } from '~/platform/crypto/seal.server.ts';

const CONTEXT = 'desk.search';
const LONGEST = 120;

type Needed = Pick<Platform, 'sealer'>;

/** A search as part of an address: sealed, because it is usually somebody's name. '' for no search. */
export function sealSearch({ sealer }: Needed, typed: string): string {
  const text = typed.trim().slice(0, LONGEST);
  return text === '' ? '' : sealer.seal(text, CONTEXT).toString('base64url');
}

/** The text of a sealed search; '' for none, and for one that is forged. */
export function openSearch({ sealer }: Needed, sealed: string): string {
  if (sealed === '') return '';
  try {
    return sealer.unsealText(Buffer.from(sealed, 'base64url'), CONTEXT);
  } catch (error) {
    if (error instanceof UnsealError) return '';
    throw error;
  }
}
