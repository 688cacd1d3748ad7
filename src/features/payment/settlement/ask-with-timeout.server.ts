import type { Platform } from '~/platform/platform.server.ts';
import type { Payments } from './context.server.ts';
import { isOpen } from '../machine.ts';
import type { Attempt } from './store.server.ts';
import { askProvider } from './sweep.server.ts';

/** Milliseconds that a page waits for a provider; it shows "confirming" and reloads afterwards. */
const TIMEOUT_MS = 3000;
/** Milliseconds between two questions about one attempt, however many pages wait for it. */
const PAUSE_MS = 2000;

const lastAsked = new Map<string, number>();

/** The attempt after asking the provider, or as it was where the answer takes too long. */
export async function askWithTimeout(
  platform: Platform,
  { providers, onPaid }: Payments,
  attempt: Attempt,
): Promise<Attempt> {
  if (!isOpen(attempt.state) || !mayAsk(attempt.id)) return attempt;
  const asking = askProvider(platform, providers, attempt, onPaid).catch((err: unknown) => {
    platform.log.warn({ err, attemptId: attempt.id }, 'asking the payment provider failed');
    return attempt;
  });
  const { promise, resolve } = Promise.withResolvers<Attempt>();
  const timer = setTimeout(() => resolve(attempt), TIMEOUT_MS);
  return Promise.race([asking, promise]).finally(() => clearTimeout(timer));
}

/** Per process: a few more questions from several processes do no harm. */
function mayAsk(attemptId: string): boolean {
  const now = performance.now();
  for (const [id, at] of lastAsked) if (now - at > PAUSE_MS) lastAsked.delete(id);
  if (lastAsked.has(attemptId)) return false;
  lastAsked.set(attemptId, now);
  return true;
}
