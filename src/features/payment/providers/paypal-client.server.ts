import { DAY_MS } from '~/base/dates/dates.ts';
import { randomUUID, X509Certificate, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { crc32 } from 'node:zlib';
import type { RawNotification, NoAnswer } from '../provider.ts';
import { errorReason } from '~/base/error-reason.ts';

export type PaypalAccount = {
  /** Without a trailing slash: PayPal's sandbox, its live address, or a double. */
  endpoint: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
};

/** PayPal's response. `no_answer`: a timeout, a broken connection, a 5xx or an invalid body, also after a retry. */
type PaypalAnswer = { status: number; body: unknown } | 'no_answer';

type PaypalCall = {
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

/** Milliseconds that a certificate is cached, unless it expires earlier; longer for a sender over its limit. */
const KEPT_MS = DAY_MS;
const MAX_CACHED_CERTIFICATES = 20;

/** `unavailable`: it could not be fetched now. `refused`: not from PayPal's host, not valid, or no certificate. */
type CertificateKey = KeyObject | 'unavailable' | 'refused';

/** Milliseconds for which an address without a certificate is not asked for again. */
const REFUSED_MS = 10 * 60_000;
const MAX_REFUSED_ADDRESSES = 1000;

/** What PayPal calls a certificate: `CERT-360caa42-fca2a594-1d93a270`. */
const CERTIFICATE = /^CERT-[A-Za-z0-9-]{1,80}$/;

/**
 * The public keys of webhook signatures. The certificate's address comes with the webhook, so only those of PayPal's
 * certificates in `folder` are accepted: otherwise anybody could sign with their own, or have us ask for any page
 * there. `mayFetch` is asked before one is fetched that is not kept; what it
 * refuses is `unavailable`, so that a webhook of PayPal's is delivered again.
 */
export function paypalCertificates({
  folder,
  timeoutMs,
  now,
}: {
  folder: string;
  timeoutMs: number;
  now: () => Date;
}) {
  const below = new URL(folder).href;
  const cache = new Map<string, { certificate: X509Certificate; until: number }>();
  const refusedUntil = new Map<string, number>();
  const fetching = new Map<string, ReturnType<typeof fetchCertificate>>();

  async function fetchCertificate(
    url: string,
  ): Promise<X509Certificate | 'unavailable' | 'refused'> {
    try {
      const response = await fetch(url, {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status >= 400 && response.status < 500) return 'refused';
      if (!response.ok) return 'unavailable';
      return parsed(await response.text()) ?? 'refused';
    } catch {
      return 'unavailable';
    }
  }

  async function certificateAt(
    url: string,
    mayFetch: () => Promise<boolean>,
  ): Promise<X509Certificate | 'unavailable' | 'refused'> {
    const known = cache.get(url);
    if (known && performance.now() < known.until) return known.certificate;
    if (performance.now() < (refusedUntil.get(url) ?? 0)) return 'refused';
    // A sender over its limit may still use what somebody else is fetching, or what was kept until now.
    const underWay = fetching.get(url);
    if (underWay) return underWay;
    if (!(await mayFetch())) return known?.certificate ?? 'unavailable';
    const begun = fetching.get(url) ?? fetchCertificate(url);
    fetching.set(url, begun);
    const fetched = await begun.finally(() => fetching.delete(url));
    if (fetched === 'refused') {
      if (refusedUntil.size >= MAX_REFUSED_ADDRESSES) refusedUntil.clear();
      refusedUntil.set(url, performance.now() + REFUSED_MS);
    } else if (fetched !== 'unavailable') {
      if (cache.size >= MAX_CACHED_CERTIFICATES) cache.clear();
      cache.set(url, { certificate: fetched, until: performance.now() + KEPT_MS });
    }
    return fetched;
  }

  return async function keyAt(
    address: string,
    mayFetch: () => Promise<boolean>,
  ): Promise<CertificateKey> {
    if (!URL.canParse(address)) return 'refused';
    const url = new URL(address);
    if (!url.href.startsWith(below)) return 'refused';
    if (!CERTIFICATE.test(url.href.slice(below.length))) return 'refused';
    const certificate = await certificateAt(url.href, mayFetch);
    if (typeof certificate === 'string') return certificate;
    const at = now();
    const isValid = at >= certificate.validFromDate && at <= certificate.validToDate;
    return isValid ? certificate.publicKey : 'refused';
  };
}

/** The first certificate of a PEM chain. */
function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

/**
 * The text that PayPal signs. It contains the CRC-32 of the exact bytes in decimal, so a body that was parsed and
 * serialised again does not match.
 */
export const signedText = (signed: {
  transmissionId: string;
  transmissionTime: string;
  webhookId: string;
  body: Buffer;
}): string =>
  [signed.transmissionId, signed.transmissionTime, signed.webhookId, crc32(signed.body)].join('|');

/** Checks PayPal's signature (RSA with SHA-256) of a webhook; never throws. */
export async function isFromPaypal(
  { headers, body, mayFetch }: RawNotification,
  webhookId: string,
  keyAt: (address: string, mayFetch: () => Promise<boolean>) => Promise<CertificateKey>,
): Promise<'yes' | 'no' | 'unavailable'> {
  const header = (name: string) => headers.get(`paypal-${name}`) ?? '';
  const transmissionId = header('transmission-id');
  const transmissionTime = header('transmission-time');
  const signature = header('transmission-sig');
  if (!transmissionId || !transmissionTime || !signature) return 'no';
  if (header('auth-algo') !== 'SHA256withRSA') return 'no';
  const key = await keyAt(header('cert-url'), mayFetch);
  if (key === 'unavailable') return 'unavailable';
  if (key === 'refused' || key.asymmetricKeyType !== 'rsa') return 'no';
  const text = signedText({ transmissionId, transmissionTime, webhookId, body });
  const isSigned = verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
  return isSigned ? 'yes' : 'no';
}

/** What PayPal's script in a browser needs from us. */
export type PaypalScript = {
  /** Public: part of the script's address. */
  clientId: string;
  /** Whether real money moves. */
  isLive: boolean;
  /**
   * `script`: for version 6 of the script; `fields`: for hosted card fields of the version before. Null without an
   * answer.
   */
  token(use: 'script' | 'fields'): Promise<string | null>;
};

const fieldsToken = z.object({ client_token: z.string().min(1) });

export function paypalScript(
  account: PaypalAccount,
  { isLive }: { isLive: boolean },
): PaypalScript {
  const client = paypalClient(account);
  return {
    clientId: account.clientId,
    isLive,
    async token(use) {
      if (use === 'script') return client.browserToken();
      const answer = await client.call({ method: 'POST', path: '/v1/identity/generate-token' });
      if (answer === 'no_answer' || answer.status >= 300) return null;
      return fieldsToken.safeParse(answer.body).data?.client_token ?? null;
    },
  };
}

/** The webhook of an app at PayPal: where it leads, and of which events it tells. */
type PaypalWebhook = { url: string; events: readonly string[] };

/** `refused`: PayPal does not accept the account; `unknown_webhook`: it does, and the app has no such webhook. */
type PaypalFound = PaypalWebhook | 'refused' | 'unknown_webhook' | NoAnswer;

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
  }).catch((error: unknown): NoAnswer => ({ noAnswer: errorReason(error) }));
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
