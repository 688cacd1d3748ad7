import { z } from 'zod';
import { isLanguage, type Language } from '~/base/languages.ts';
import type { Platform } from '~/platform/platform.server.ts';

const state = z.object({
  attemptId: z.uuid(),
  outcome: z.enum(['return', 'cancel']),
  /** Of the page that the browser left, where that is not what is paid for. */
  language: z.custom<Language>(isLanguage).nullish(),
});

/** What a browser that came back says by the address we gave to its payment partner. It proves no payment. */
export type ReturnState = z.infer<typeof state>;

/** Longer than any attempt stays open. */
const VALID_MS = 7 * 24 * 3600_000;

/**
 * Where a provider sends the payer's browser: a cross-site return carries no cookie, so the address names the attempt, and
 * `language` where the browser is to go on in another one than the result page would choose; else null.
 */
export function returnAddresses(
  platform: Platform,
  provider: string,
  { attemptId, language }: { attemptId: string; language: Language | null },
) {
  const expires = new Date(platform.now().getTime() + VALID_MS);
  const address = (outcome: ReturnState['outcome']) => {
    const token = platform.signer.sign(
      { attemptId, outcome, ...(language && { language }) },
      'payment-return',
      expires,
    );
    return `${platform.config.publicUrl}/api/payment/return/${provider}?state=${token}`;
  };
  return { returnUrl: address('return'), cancelUrl: address('cancel') };
}

/** The state in a returning browser's address; null where we did not write it, or too long ago. */
export function readReturnState(platform: Platform, query: URLSearchParams): ReturnState | null {
  const verified = platform.signer.verify(
    query.get('state') ?? '',
    'payment-return',
    platform.now(),
  );
  const parsed = state.safeParse(verified.ok ? verified.payload : null);
  return parsed.success ? parsed.data : null;
}
