import { stripeForm, type StripeFields } from './stripe-form.ts';

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

export type StripeCall = {
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
