import { readSecretCookie, secretCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { UnsealError } from '~/platform/seal.server.ts';

const NAME = 'lale_desk_search';
const CONTEXT = 'desk.search';
const LONGEST = 120;

type Needed = Pick<Platform, 'config' | 'sealer'>;

/** What this browser searched for last; '' for nothing. Names do not belong into addresses, so a sealed cookie holds it. */
export function searchedFor({ config, sealer }: Needed, request: Request): string {
  const sealed = readSecretCookie({ config }, request, NAME);
  if (!sealed) return '';
  try {
    return sealer.unsealText(Buffer.from(sealed, 'base64url'), CONTEXT);
  } catch (error) {
    if (error instanceof UnsealError) return '';
    throw error;
  }
}

/** The header that keeps a search until the browser is closed; '' ends it. */
export function searchCookie({ config, sealer }: Needed, typed: string): string {
  const text = typed.trim().slice(0, LONGEST);
  if (text === '') return secretCookie({ config }, NAME, '', { maxAgeSeconds: 0 });
  return secretCookie({ config }, NAME, sealer.seal(text, CONTEXT).toString('base64url'));
}
