import { z } from 'zod';
import { reasonOf } from '~/base/error-reason.ts';
import type { NoAnswer } from '../provider.ts';
import { STRIPE_VERSION, type StripeAccount } from './stripe-client.server.ts';

/** A webhook of the account that leads to us: of which events it tells. */
export type StripeWebhook = { events: readonly string[] };

/** What we read there, by its path: a restricted key may have the right to some of it alone. */
const readPaths = [
  'checkout/sessions',
  'payment_intents',
  'charges',
  'refunds',
  'disputes',
  'balance_transactions',
  'payouts',
  'webhook_endpoints',
] as const;

/**
 * `refused`: Stripe does not accept the key; `lacking`: it does, and the key may not read these; `no_webhook`: no active
 * webhook leads to us.
 */
export type StripeFound =
  | StripeWebhook
  | { lacking: readonly string[] }
  | 'refused'
  | 'no_webhook'
  | NoAnswer;

const webhooks = z.object({
  data: z.array(
    z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) }),
  ),
});

/**
 * Asks Stripe whether the key may read what we read, and for the account's webhooks (16 at most), to find the one that
 * leads to `url`. Changes nothing there; whether the key may also write shows with the first payment.
 */
export async function askStripeWebhook(account: StripeAccount, url: string): Promise<StripeFound> {
  const answers = await Promise.all(readPaths.map((path) => listOf(account, path)));
  const statuses = answers.map((answer) => ('noAnswer' in answer ? null : answer.status));
  if (statuses.includes(401)) return 'refused';
  const lacking = readPaths.filter((_, index) => statuses[index] === 403);
  if (lacking.length > 0) return { lacking };
  let last: Response | null = null;
  for (const answer of answers) {
    if ('noAnswer' in answer) return answer;
    if (!answer.ok) return { noAnswer: String(answer.status) };
    last = answer;
  }
  // Of the webhooks, which are read last.
  const body: unknown = await last?.json().catch(() => null);
  const read = webhooks.safeParse(body).data;
  if (!read) return { noAnswer: '/v1/webhook_endpoints' };
  const found = read.data.filter((one) => one.url === url && one.status === 'enabled');
  if (found.length === 0) return 'no_webhook';
  return { events: found.flatMap((one) => one.enabled_events) };
}

// The client makes no difference between a refused key and none that answers.
const listOf = (account: StripeAccount, path: string): Promise<Response | NoAnswer> =>
  fetch(`${account.endpoint}/v1/${path}?limit=${path === 'webhook_endpoints' ? 100 : 1}`, {
    headers: { authorization: `Bearer ${account.secretKey}`, 'stripe-version': STRIPE_VERSION },
    redirect: 'manual',
    signal: AbortSignal.timeout(account.timeoutMs),
  }).catch((error: unknown): NoAnswer => ({ noAnswer: reasonOf(error) }));
