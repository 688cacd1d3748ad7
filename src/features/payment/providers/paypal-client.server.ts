import { randomUUID } from 'node:crypto';
import { z } from 'zod';

export type PaypalAccount = {
  /** Without a trailing slash: PayPal's sandbox, its live address, or a double. */
  endpoint: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
};

/** PayPal's response. `no_answer`: a timeout, a broken connection, a 5xx or an invalid body, also after a retry. */
export type PaypalAnswer = { status: number; body: unknown } | 'no_answer';

export type PaypalCall = {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** Makes a POST idempotent (108 characters at most): PayPal repeats its first response. */
  requestId?: string;
};

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number() });
/** Milliseconds before its expiry at which a token is renewed, so that none expires during a call. */
const TOKEN_MARGIN_MS = 60_000;

/** A thin client of PayPal's REST API: token, idempotency, one retry. */
export function paypalClient({ endpoint, clientId, clientSecret, timeoutMs }: PaypalAccount) {
  let token: { value: string; until: number } | null = null;
  let fetching: Promise<string | null> | null = null;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

  /** A token for the account; `more` asks for another kind (a browser's). Null without an answer. */
  async function requestToken(more: Record<string, string> = {}) {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...more });
    try {
      const response = await fetch(`${endpoint}/v1/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: basic,
          accept: 'application/json',
          'paypal-request-id': randomUUID(),
        },
        body: form,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return response.ok ? (tokenAnswer.safeParse(await response.json()).data ?? null) : null;
    } catch {
      return null;
    }
  }

  /** Concurrent calls wait for one token request. */
  async function accessToken(): Promise<string | null> {
    if (token && performance.now() < token.until) return token.value;
    fetching ??= requestToken()
      .then((answer) => {
        if (!answer) return null;
        const lifeMs = answer.expires_in * 1000 - TOKEN_MARGIN_MS;
        token = { value: answer.access_token, until: performance.now() + lifeMs };
        return token.value;
      })
      .finally(() => (fetching = null));
    return fetching;
  }

  async function once(call: PaypalCall, bearer: string, requestId: string): Promise<PaypalAnswer> {
    try {
      const response = await fetch(endpoint + call.path, {
        method: call.method,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json',
          'paypal-request-id': requestId,
          prefer: 'return=representation',
          ...(call.method === 'POST' && { 'content-type': 'application/json' }),
        },
        ...(call.method === 'POST' && { body: JSON.stringify(call.body ?? {}) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const isLost = response.status >= 500 || [408, 409, 429].includes(response.status);
      if (isLost || (response.status >= 300 && response.status < 400)) return 'no_answer';
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return 'no_answer';
    }
  }

  return {
    /** Retries once where no answer came: a GET changes nothing, and a POST has the same request id. */
    async call(call: PaypalCall): Promise<PaypalAnswer> {
      const requestId = call.requestId ?? randomUUID();
      let answer: PaypalAnswer = 'no_answer';
      for (let attempt = 0; attempt < 2; attempt++) {
        const began = performance.now();
        const bearer = await accessToken();
        if (bearer === null) return 'no_answer';
        answer = await once(call, bearer, requestId);
        // A token may be revoked before it expires.
        if (typeof answer === 'object' && answer.status === 401) token = null;
        else if (answer !== 'no_answer') return answer;
        // A visitor is waiting: no retry after a full timeout.
        else if (performance.now() - began > timeoutMs / 2) return answer;
      }
      return answer;
    },

    /** A token for PayPal's script (version 6) in a browser; null without an answer. */
    async browserToken(): Promise<string | null> {
      const more = { response_type: 'client_token', intent: 'sdk_init' };
      return (await requestToken(more))?.access_token ?? null;
    },
  };
}
