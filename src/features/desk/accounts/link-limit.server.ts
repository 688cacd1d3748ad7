import type { RouterContextProvider } from 'react-router';
import { guessLimits } from '~/features/staff/limits.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { addressContext, platformContext } from '~/platform/http/request.server.ts';

/**
 * Counts one try of a secret link. How long this address has to wait, in seconds, before it may try one again; null
 * where it may.
 */
export async function waitForLink(
  context: Readonly<RouterContextProvider>,
): Promise<number | null> {
  const { link } = guessLimits(context.get(platformContext));
  const { allowed, retryAfterSeconds } = await link.consume(context.get(addressContext));
  return allowed ? null : retryAfterSeconds;
}

/** How a page answers whoever has to wait so many seconds. */
export const waiting = (seconds: number) => ({
  status: 429,
  headers: { ...PRIVATE_PAGE, 'Retry-After': String(seconds) },
});
