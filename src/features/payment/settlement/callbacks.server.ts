import { Hono } from 'hono';
import type { Language } from '~/base/languages.ts';
import { readBytes, readFormBody, unreadableProblem } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import type { Payments } from './context.server.ts';
import { isOpen } from '../machine.ts';
import {
  type ProviderNotification,
  type ProviderEvent,
  type Provider,
  providerNamed,
  type ProviderDispute,
} from '../provider.ts';
import { settleRefund, type RefundSettled } from './refund-notification.server.ts';
import { readReturnState } from './begin.server.ts';
import { settle, type SettlementResult } from './settle.server.ts';
import {
  attemptById,
  storeReturn,
  type Attempt,
  attemptByCapture,
  raiseAlert,
} from './store.server.ts';
import { askProvider } from './sweep.server.ts';
import { randomUUID } from 'node:crypto';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { paymentNotification } from '../tables.server.ts';
import { and, eq } from 'drizzle-orm';

/** How exactly it has to be known: one statement in this time, however many notifications arrive. */
const PRECISION_MS = 60_000;

/** What this process has noted, by provider. */
const noted = new WeakMap<Database, Map<ProviderName, Date>>();

/**
 * Notes that a verified notification of a provider has arrived. Simulated partners are not noted.
 * @throws what the database throws; the next notification is then noted again.
 */
async function noteHeard(
  { db, config, now }: Pick<Platform, 'db' | 'config' | 'now'>,
  provider: ProviderName,
): Promise<void> {
  const endpoint = config.providers[provider]?.endpoint;
  if (endpoint === undefined) return;
  const heardAt = now();
  const known = noted.get(db) ?? new Map<ProviderName, Date>();
  noted.set(db, known);
  const before = known.get(provider);
  if (heardAt.getTime() - (before?.getTime() ?? 0) < PRECISION_MS) return;
  // At once, so that of many at the same moment one is written.
  known.set(provider, heardAt);
  try {
    await db
      .insert(paymentNotification)
      .values({ provider, endpoint, heardAt })
      .onConflictDoUpdate({
        target: [paymentNotification.provider, paymentNotification.endpoint],
        set: { heardAt },
      });
  } catch (error) {
    if (before) known.set(provider, before);
    else known.delete(provider);
    throw error;
  }
}

/** By address: what forged notifications make us fetch in order to check them. */
const FETCHES = { name: 'notification_fetches', points: 10, seconds: 600 };

/**
 * The routes to which providers send browsers and notifications; both lead to `settle`. What is not verifiably the
 * provider's changes nothing, but a return to an address that we signed makes us ask the provider.
 */
export function paymentCallbacks(platform: Platform, payments: Payments) {
  const { providers } = payments;
  const app = new Hono();
  // Only what costs the outside world something is limited: a provider's own notifications are never turned away.
  const fetches = makeLimiter(platform.pool, FETCHES);

  app.on(['GET', 'POST'], '/api/payment/return/:provider', async (c) => {
    const query = new URL(c.req.url).searchParams;
    const form = c.req.method === 'POST' ? await readFormBody(c.req.raw) : null;
    const posted = form?.ok ? form.value.get('payload') : null;
    if (typeof posted === 'string') query.set('payload', posted);
    const provider = providerNamed(providers, c.req.param('provider') ?? '');
    const attempt = provider && (await returned(platform, payments, provider, query));
    // 303: a cross-site POST carries no cookies; the GET that follows does.
    const language = attempt ? languageOfReturn(platform, query, attempt) : null;
    const address = attempt ? resultAddress(attempt) : '/payment-cancel?status=error';
    return c.redirect(language ? `/${language}${address}` : address, 303);
  });

  app.post('/api/payment/notification/:provider', async (c) => {
    const provider = providerNamed(providers, c.req.param('provider'));
    if (!provider) return problem({ code: 'not_found' });
    const body = await readBytes(c.req.raw);
    if (!body.ok) return unreadableProblem(body.error);
    const { headers } = c.req.raw;
    const address = clientAddress(c, platform);
    let fetched = 0;
    const mayFetch = async () => {
      const { allowed } = await fetches.consume(address);
      if (allowed) fetched += 1;
      return allowed;
    };
    const notification = await provider.readNotification({ headers, body: body.value, mayFetch });
    const isVerified = notification.kind !== 'unverified' && notification.kind !== 'unavailable';
    // What each process has to fetch once for the provider's own, after its start, counts for nobody.
    if (isVerified && fetched > 0) await fetches.giveBack(address, fetched);
    const answered = await settleNotification(platform, payments, provider, notification);
    if (isVerified) {
      // After the money, which must not wait for what only the list of `npm run lale -- doctor` shows.
      await noteHeard(platform, provider.name).catch((err: unknown) => {
        platform.log.warn({ err, provider: provider.name }, 'noting a notification failed');
      });
    }
    return answered;
  });
  return app;
}

/** Does what a notification says, and answers its provider. */
async function settleNotification(
  platform: Platform,
  payments: Payments,
  provider: Provider,
  notification: ProviderNotification,
): Promise<Response> {
  const { providers, onPaid } = payments;
  switch (notification.kind) {
    case 'payment':
      return answer(await settle(platform, provider.name, notification.event, onPaid));
    case 'ask': {
      const attempt = await attemptById(platform.db, notification.attemptId);
      if (!attempt) return problem({ code: 'unknown_reference' });
      await askProvider(platform, providers, attempt, onPaid);
      return Response.json({ received: true });
    }
    case 'refunds': {
      const settled: RefundSettled[] = [];
      for (const event of notification.events) {
        settled.push(await settleRefund(platform, provider.name, event, payments));
      }
      return refundAnswer(settled);
    }
    case 'dispute':
      return (await raiseDispute(platform, provider.name, notification.dispute))
        ? Response.json({ received: true })
        : problem({ code: 'unknown_reference' });
    case 'irrelevant':
      return Response.json({ received: true });
    case 'unavailable':
      return problem({ status: 503, code: 'not_verified' });
    case 'unverified':
      return problem({ code: 'not_verified' });
  }
}

/** The attempt that a browser came back from, after settling what it brought; null where nothing names one. */
async function returned(
  platform: Platform,
  { providers, onPaid }: Payments,
  provider: Provider,
  query: URLSearchParams,
): Promise<Attempt | null> {
  const providerEvent = provider.readReturn(query);
  if (providerEvent) {
    const settled = await settle(platform, provider.name, providerEvent, onPaid);
    return settled.kind === 'unknown_reference' ? null : settled.attempt;
  }
  const state = readReturnState(platform, query);
  const attempt = state && (await attemptById(platform.db, state.attemptId));
  if (!attempt || attempt.provider !== provider.name) return null;
  const isCancelled = state.outcome === 'cancel';
  const asked = isOpen(attempt.state)
    ? await askProvider(platform, providers, attempt, onPaid, { mayCapture: !isCancelled })
    : attempt;
  if (!isOpen(asked.state)) return asked;
  if (!isCancelled) {
    await storeReturn(platform.db, asked.id, platform.now());
    return asked;
  }
  const settled = await settle(platform, provider.name, cancelledBy(asked), onPaid);
  return settled.kind === 'unknown_reference' ? asked : settled.attempt;
}

/** The language in which the browser left for the provider, where it was not the order's; null otherwise. */
function languageOfReturn(
  platform: Platform,
  query: URLSearchParams,
  { id }: Attempt,
): Language | null {
  const state = readReturnState(platform, query);
  return state?.attemptId === id ? (state.language ?? null) : null;
}

/** The payer pressed Cancel at a provider that reports it only by the address, which we signed. */
const cancelledBy = ({ id, providerReference }: Attempt): ProviderEvent => ({
  eventId: `returned:${id}`,
  attemptId: id,
  event: 'cancel',
  amount: null,
  providerReference,
  captureId: null,
  reason: 'cancelled_by_payer',
  payload: { status: 'cancelled' },
});

/** Any status but 2xx makes a provider deliver again: right for events that matched nothing, wrong for known ones. */
function answer(settled: SettlementResult): Response {
  if (settled.kind === 'unknown_reference') return problem({ code: 'unknown_reference' });
  if (settled.kind === 'wrong_amount' || settled.kind === 'capture_reused') {
    return problem({ status: 422, code: settled.kind });
  }
  return Response.json({ received: true });
}

/** A refund made at the provider is acknowledged although our ledger has none: a repetition would change nothing. */
function refundAnswer(settled: readonly RefundSettled[]): Response {
  if (settled.includes('unknown_reference')) {
    return problem({ code: 'unknown_reference' });
  }
  if (settled.includes('wrong_amount')) return problem({ status: 422, code: 'wrong_amount' });
  return Response.json({ received: true });
}

/** The result page of an attempt. What it shows comes from the database, not from this query. */
function resultAddress(attempt: Attempt): string {
  const query = new URLSearchParams({ payment: attempt.id, order: attempt.reference });
  const stopped = ['failed', 'cancelled', 'expired'].includes(attempt.state);
  if (stopped) return `/payment-cancel?${query}`;
  if (attempt.providerReference) query.set('transaction', attempt.providerReference);
  return `/payment-success?${query}`;
}

/**
 * Raises an alert about a dispute, once for each state that it reaches. The provider takes the money itself and decides
 * itself: our ledger changes nothing, and staff answer at the provider. False where no attempt has the capture (yet):
 * the provider is to tell again.
 */
async function raiseDispute(
  platform: Platform,
  provider: ProviderName,
  { disputeId, captureId, status, reason, amount }: ProviderDispute,
): Promise<boolean> {
  return platform.db.transaction(async (tx) => {
    const attempt = await attemptByCapture(tx, provider, captureId);
    if (!attempt) return false;
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'disputed',
      attemptId: attempt.id,
      once: `dispute:${provider}:${disputeId}:${status}`,
      detail: { disputeId, captureId, status, reason, amountMinor: amount?.minor ?? null },
      raisedAt: platform.now(),
    });
    return true;
  });
}

/** When a provider was last heard from this address of its; null where it never was. */
export async function lastNotificationMoment(
  db: Database,
  provider: ProviderName,
  endpoint: string,
): Promise<Date | null> {
  const [row] = await db
    .select({ heardAt: paymentNotification.heardAt })
    .from(paymentNotification)
    .where(
      and(eq(paymentNotification.provider, provider), eq(paymentNotification.endpoint, endpoint)),
    );
  return row?.heardAt ?? null;
}
