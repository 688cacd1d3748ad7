import { z } from 'zod';
import { reasonOf } from '~/base/error-reason.ts';
import type { NoAnswer } from '../provider.ts';
import { paypalClient, type PaypalAccount } from './paypal-client.server.ts';

/** The webhook of an app at PayPal: where it leads, and of which events it tells. */
export type PaypalWebhook = { url: string; events: readonly string[] };

/** `refused`: PayPal does not accept the account; `unknown_webhook`: it does, and the app has no such webhook. */
export type PaypalFound = PaypalWebhook | 'refused' | 'unknown_webhook' | NoAnswer;

const WEBHOOKS = '/v1/notifications/webhooks';

const webhook = z.object({
  url: z.string(),
  event_types: z.array(z.object({ name: z.string() })),
});

/**
 * Asks PayPal for a token with our account, and for our webhook (Webhooks v1, show webhook details). Changes nothing there.
 */
export async function askPaypalWebhook(
  account: PaypalAccount & { webhookId: string },
): Promise<PaypalFound> {
  const { endpoint, clientId, clientSecret, timeoutMs } = account;
  // The client makes no difference between a refused account and none that answers.
  const token = await fetch(`${endpoint}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown): NoAnswer => ({ noAnswer: reasonOf(error) }));
  if ('noAnswer' in token) return token;
  await token.body?.cancel();
  if (token.status === 400 || token.status === 401 || token.status === 403) return 'refused';
  if (!token.ok) return { noAnswer: String(token.status) };
  const answer = await paypalClient(account).call({
    method: 'GET',
    path: `${WEBHOOKS}/${encodeURIComponent(account.webhookId)}`,
  });
  if (answer === 'no_answer') return { noAnswer: WEBHOOKS };
  if (answer.status === 404) return 'unknown_webhook';
  if (answer.status === 401 || answer.status === 403) return 'refused';
  const read = webhook.safeParse(answer.body).data;
  return read
    ? { url: read.url, events: read.event_types.map(({ name }) => name) }
    : { noAnswer: WEBHOOKS };
}

/** What the service has to be told of; one of each line is enough. */
const needed = [
  ['CHECKOUT.ORDER.APPROVED'],
  ['CHECKOUT.PAYMENT-APPROVAL.REVERSED'],
  ['PAYMENT.CAPTURE.COMPLETED'],
  ['PAYMENT.CAPTURE.PENDING'],
  // PayPal's own lists name either.
  ['PAYMENT.CAPTURE.DENIED', 'PAYMENT.CAPTURE.DECLINED'],
  ['PAYMENT.CAPTURE.REFUNDED'],
  ['PAYMENT.CAPTURE.REVERSED'],
] as const;

/** The events that a webhook does not tell of and should; `*` stands for all. */
export const missingEvents = ({ events }: PaypalWebhook): string[] =>
  events.includes('*')
    ? []
    : needed.flatMap((names) => (names.some((name) => events.includes(name)) ? [] : [names[0]]));
