import { z } from 'zod';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RawNotification, NoAnswer } from '../provider.ts';
import { errorReason } from '~/base/error-reason.ts';

/** A request to Stripe before it is encoded: nested objects and lists of texts and numbers. */
export type StripeFields = {
  readonly [name: string]: StripeValue | undefined;
};
type StripeValue = string | number | StripeFields | readonly StripeValue[];

/**
 * Encodes fields as Stripe reads them: `line_items[0][quantity]=1`. Fields that are undefined are left out.
 * https://docs.stripe.com/api (requests are form-encoded, answers are JSON)
 */
export function stripeForm(fields: StripeFields): URLSearchParams {
  return new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => pairs(name, value)));
}

function pairs(name: string, value: StripeValue | undefined): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${key}]`, inner));
}

/** Of which object a webhook tells. What it says of it is not believed: the object is asked for. */
export type StripeHint = { about: 'session' | 'charge' | 'refund' | 'dispute'; id: string };

const event = z.object({
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string().min(1).max(200) }) }),
});

/**
 * The events that the service has to be told of, and what each is about. Stripe has two names for news of a refund, by
 * the version of the account.
 */
const subjects: Record<string, StripeHint['about']> = {
  'checkout.session.completed': 'session',
  'checkout.session.expired': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'session',
  'charge.refunded': 'charge',
  'charge.refund.updated': 'refund',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
};

/** What a webhook is about, once its signature is verified; null where it does not concern us. */
export function readHint(body: unknown): StripeHint | null {
  const notification = event.safeParse(body).data;
  const about = notification && subjects[notification.type];
  return about ? { about, id: notification.data.object.id } : null;
}

/** Each a group of which one event is enough; the first is the one to ask for. */
const needed = [
  ['checkout.session.completed'],
  ['checkout.session.expired'],
  ['checkout.session.async_payment_succeeded'],
  ['checkout.session.async_payment_failed'],
  ['charge.refunded', 'refund.created'],
  ['refund.updated', 'charge.refund.updated'],
  ['charge.dispute.created'],
  ['charge.dispute.closed'],
] as const;

/** The events that a webhook does not tell of and should; `*` stands for all. */
export const missingEvents = (enabled: readonly string[]): string[] =>
  enabled.includes('*')
    ? []
    : needed.flatMap((names) => (names.some((name) => enabled.includes(name)) ? [] : [names[0]]));

export type StripeAccount = {
  /** Without a trailing slash: Stripe's address, or a double. */
  endpoint: string;
  secretKey: string;
  timeoutMs: number;
};

/**
 * The version of Stripe's API whose answers this code reads, whatever version the account has. It is the one that
 * `test/contracts/stripe` describes.
 */
export const STRIPE_VERSION = '2022-11-15';

/**
 * Stripe's response. `no_answer`: a timeout, a broken connection, a 5xx, an invalid body, too many requests, or a key
 * that Stripe does not accept: nothing is decided by it.
 */
export type StripeAnswer = { status: number; body: unknown } | 'no_answer';

type StripeCall = {
  method: 'GET' | 'POST';
  path: string;
  /** The query of a GET, the body of a POST. */
  fields?: StripeFields;
  /** Makes a POST idempotent for 24 hours: Stripe repeats its first response, a 500 too. */
  idempotencyKey?: string;
};

/** Too early, at the same time as the same call, too often, or with a key that is not accepted. */
const undecided = [401, 403, 408, 409, 425, 429];

/** A thin client of Stripe's REST API: key, version, idempotency, one retry. */
export function stripeClient({ endpoint, secretKey, timeoutMs }: StripeAccount) {
  async function once({ method, path, fields, idempotencyKey }: StripeCall): Promise<StripeAnswer> {
    const form = stripeForm(fields ?? {}).toString();
    const query = method === 'GET' && form !== '' ? `?${form}` : '';
    try {
      const response = await fetch(endpoint + path + query, {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          'stripe-version': STRIPE_VERSION,
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
          ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(method === 'POST' && { body: form }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const { status } = response;
      if (status >= 500 || undecided.includes(status)) return 'no_answer';
      if (status >= 300 && status < 400) return 'no_answer';
      return { status, body: JSON.parse(text) };
    } catch {
      return 'no_answer';
    }
  }

  return {
    /** Retries once where no answer came: a GET changes nothing, and a POST has the same idempotency key. */
    async call(call: StripeCall): Promise<StripeAnswer> {
      const began = performance.now();
      const first = await once(call);
      // A visitor is waiting: no retry after a full timeout.
      if (first !== 'no_answer' || performance.now() - began > timeoutMs / 2) return first;
      return once(call);
    },
  };
}

/** How far the time of a signature may be from ours, in seconds, before or after; Stripe's own libraries allow as much. */
export const TOLERANCE_SECONDS = 300;

/** The signature of a webhook: HMAC-SHA256 over `<seconds>.<exact body>`, in hexadecimal. */
export const stripeSignature = (secret: string, seconds: number, body: Buffer): string =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');

/**
 * Checks `Stripe-Signature` (`t=<seconds>,v1=<hex>,v1=…`); never throws. While a new secret replaces an old one, Stripe
 * signs with both and we may know one or both: one right signature is enough. Other schemes than `v1` are ignored (`v0`
 * is for Stripe's tests).
 */
export function isFromStripe(
  { headers, body }: RawNotification,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = (headers.get('stripe-signature') ?? '').split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [time = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(time)) return false;
  const seconds = Number(time);
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return false;
  const given = valuesOf('v1').map((value) => Buffer.from(value));
  return secrets.some((secret) => {
    const expected = Buffer.from(stripeSignature(secret, seconds, body));
    return given.some(
      (value) => value.length === expected.length && timingSafeEqual(value, expected),
    );
  });
}

/** A webhook of the account that leads to us: of which events it tells. */
type StripeWebhook = { events: readonly string[] };

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
type StripeFound =
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
  }).catch((error: unknown): NoAnswer => ({ noAnswer: errorReason(error) }));
