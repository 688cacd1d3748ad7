import { z } from 'zod';
import { isLanguage, type Language } from '~/base/languages.ts';
import type { Platform } from '~/platform/platform.server.ts';

const state = z.object({
  attemptId: z.uuid(),
  outcome: z.enum(['return', 'cancel']),
  /** The language of the page that the browser left, where it is not that of what is paid. */
  language: z.custom<Language>(isLanguage).nullish(),
});

/** What our signed address says about a browser that came back. It proves no payment. */
export type ReturnState = z.infer<typeof state>;

/** Longer than any attempt stays open. */
const VALID_MS = 7 * 24 * 3600_000;

/**
 * Where a provider sends the payer's browser. A cross-site return carries no cookie, so the address names the attempt;
 * `language`: the one to continue in, where the result page would choose another; null otherwise.
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

/** The state in a returning browser's address; null where it is forged or expired. */
export function readReturnState(platform: Platform, query: URLSearchParams): ReturnState | null {
  const verified = platform.signer.verify(
    query.get('state') ?? '',
    'payment-return',
    platform.now(),
  );
  const parsed = state.safeParse(verified.ok ? verified.payload : null);
  return parsed.success ? parsed.data : null;
}
