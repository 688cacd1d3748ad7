import { z } from 'zod';
import { reasonOf } from '~/base/error-reason.ts';
import type { NoAnswer } from './no-answer.ts';
import { STRIPE_VERSION, type StripeAccount } from './stripe-client.server.ts';

/** A webhook of the account that leads to us: of which events it tells. */
export type StripeWebhook = { events: readonly string[] };

/** `refused`: Stripe does not accept the key; `no_webhook`: it does, and no active webhook leads to us. */
export type StripeFound = StripeWebhook | 'refused' | 'no_webhook' | NoAnswer;

const webhooks = z.object({
  data: z.array(
    z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) }),
  ),
});

/**
 * Asks Stripe for the account's webhooks (16 at most) and finds the one that leads to `url`. Changes nothing there. A
 * restricted key needs the right to read webhooks for it.
 */
export async function askStripeWebhook(account: StripeAccount, url: string): Promise<StripeFound> {
  // The client makes no difference between a refused key and none that answers.
  const answer = await fetch(`${account.endpoint}/v1/webhook_endpoints?limit=100`, {
    headers: { authorization: `Bearer ${account.secretKey}`, 'stripe-version': STRIPE_VERSION },
    redirect: 'manual',
    signal: AbortSignal.timeout(account.timeoutMs),
  }).catch((error: unknown): NoAnswer => ({ noAnswer: reasonOf(error) }));
  if ('noAnswer' in answer) return answer;
  const body: unknown = await answer.json().catch(() => null);
  if (answer.status === 401 || answer.status === 403) return 'refused';
  const read = answer.ok ? webhooks.safeParse(body).data : null;
  if (!read) return { noAnswer: String(answer.status) };
  const found = read.data.filter((one) => one.url === url && one.status === 'enabled');
  if (found.length === 0) return 'no_webhook';
  return { events: found.flatMap((one) => one.enabled_events) };
}
