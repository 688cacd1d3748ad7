import type { RouterContextProvider } from 'react-router';
import { guessLimits } from '~/features/staff/limits.server.ts';
import { addressContext, platformContext } from '~/platform/http/request.server.ts';

/**
 * Counts one try of a secret link. Returns the seconds until the next try from this address, or null where it may go
 * on.
 */
export async function waitForLink(
  context: Readonly<RouterContextProvider>,
): Promise<number | null> {
  const { link } = guessLimits(context.get(platformContext));
  const { allowed, retryAfterSeconds } = await link.consume(context.get(addressContext));
  return allowed ? null : retryAfterSeconds;
}

/** The response to somebody who has to wait so many seconds. */
export const waiting = (seconds: number) => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
});
