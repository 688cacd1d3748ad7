import { z } from 'zod';
import { ok, refused } from '~/base/outcome.ts';
import { usd, add, type Money } from '~/base/money.ts';
import type {
  AttemptAsked,
  ProviderNotification,
  Provider,
  RefundToMake,
  ProviderDispute,
  AttemptToBegin,
  ProviderRefundEvent,
  RefundMade,
  RefundState,
} from '../provider.ts';
import {
  stripeClient,
  type StripeAccount,
  type StripeAnswer,
  isFromStripe,
  type StripeFields,
  readHint,
  type StripeHint,
} from './stripe-client.server.ts';
import {
  balanceTransactions,
  toMovement,
  capturedCharge,
  readAmount,
  toSessionEvent,
  sessionFields,
  stripeCharge,
  stripeSession,
  amountFacts,
} from './stripe-session.ts';
import { languageFacts, isLanguage } from '~/base/languages.ts';

const metadata = z.record(z.string(), z.string()).nullish();

const stripeRefund = z.object({
  id: z.string().min(1).max(200),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  /** The charge's id, or the charge where it was expanded. */
  charge: z.union([z.string(), z.object({ id: z.string(), metadata })]).nullish(),
  metadata,
});
type StripeRefund = z.infer<typeof stripeRefund>;

const stripeRefunds = z.object({ data: z.array(stripeRefund), has_more: z.boolean() });

/** `requires_action`: Stripe waits for the payer to say where the money goes. */
const states: Record<string, RefundState> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

const refundState = ({ status }: StripeRefund): RefundState =>
  states[status ?? 'pending'] ?? 'pending';

const refundMade = (refund: StripeRefund): RefundMade => ({
  providerRefundId: refund.id,
  state: refundState(refund),
});

/** Our id of a refund; null where it was made at Stripe directly. */
const ourRefundId = ({ metadata }: StripeRefund): string | null => metadata?.refund ?? null;

/** What went back: refunds that failed have given nothing, those that wait have not yet. */
const refundedOf = (refunds: readonly StripeRefund[]): Money =>
  add(
    ...refunds
      .filter((refund) => refundState(refund) === 'completed')
      .map(({ amount, currency }) => readAmount(amount, currency) ?? usd(0)),
  );

function refundEventOf(refund: StripeRefund): ProviderRefundEvent {
  const { id, amount, currency, charge } = refund;
  const status = refund.status ?? 'pending';
  return {
    eventId: `refund:${id}:${status}`,
    providerRefundId: id,
    refundId: ourRefundId(refund),
    captureId: typeof charge === 'object' ? (charge?.id ?? null) : (charge ?? null),
    state: refundState(refund),
    amount: readAmount(amount, currency),
    payload: { status, refundId: id, ...amountFacts(amount, currency) },
  };
}

/**
 * How long a payer may take on Stripe's page, in seconds. Stripe allows 24 hours by its own clock, so that ours may be
 * half an hour ahead.
 */
const SESSION_SECONDS = 23.5 * 3600;

/**
 * The Checkout Session to create. No name, address, email or phone number is sent: payers enter at Stripe what their
 * card needs. Stripe gets the attempt's id, by which webhooks name it, and the order's number, by which staff find it.
 * Only cards (and the wallets that hold them): what is promised from the moment of payment cannot wait for a transfer.
 */
export const sessionRequest = (attempt: AttemptToBegin, now: Date): StripeFields => ({
  mode: 'payment',
  client_reference_id: attempt.id,
  success_url: attempt.returnUrl,
  cancel_url: attempt.cancelUrl,
  expires_at: Math.floor(now.getTime() / 1000) + SESSION_SECONDS,
  locale: isLanguage(attempt.language) ? languageFacts(attempt.language).stripe : 'auto',
  payment_method_types: ['card'],
  // By default the account's setting decides, and a payer who is shown another currency pays in it: no amount of ours.
  adaptive_pricing: { enabled: 'false' },
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: attempt.amount.currency.toLowerCase(),
        unit_amount: attempt.amount.minor,
        product_data: { name: attempt.description },
      },
    },
  ],
  metadata: { order: attempt.reference },
  payment_intent_data: {
    description: attempt.description,
    metadata: { order: attempt.reference },
  },
});

/** A refund of a charge; the metadata is how it is found again after Stripe has dropped the idempotency key. */
const refundRequest = ({ refundId, attempt, amount }: RefundToMake): StripeFields => ({
  charge: attempt.captureId,
  amount: amount.minor,
  metadata: { refund: refundId },
});

const stripeDispute = z.object({
  id: z.string().min(1).max(200),
  amount: z.int(),
  currency: z.string(),
  reason: z.string().nullish(),
  status: z.string(),
  charge: z.object({
    id: z.string(),
    metadata: z.record(z.string(), z.string()).nullish(),
  }),
});
type StripeDispute = z.infer<typeof stripeDispute>;

const disputeOf = (dispute: StripeDispute): ProviderDispute => ({
  disputeId: dispute.id,
  captureId: dispute.charge.id,
  status: dispute.status,
  reason: dispute.reason ?? null,
  amount: readAmount(dispute.amount, dispute.currency),
});

export type StripeSettings = StripeAccount & {
  /** Of the webhook's signatures, each accepted: two while one is rolled. */
  webhookSecrets: readonly string[];
  now: () => Date;
};

/** Entries in one page of a list; Stripe gives 100 at most. */
const PAGE = 100;

/** The ids of our attempts; other software on the same account has other reference ids. */
const ours = z.uuid();
/** An object of ours has the order's number in its metadata; the charge gets its payment's. */
const marked = z.object({ metadata: z.object({ order: z.string().min(1) }) });

/**
 * Stripe Checkout: create a session, the payer pays on Stripe's page, which captures by itself. Webhooks are only
 * hints: whatever they tell of is asked for before it changes anything.
 */
export function stripe(settings: StripeSettings): Provider {
  const { call } = stripeClient(settings);
  const { now } = settings;

  /** One of Stripe's objects by its id. */
  const read = async <T>(
    path: string,
    id: string,
    schema: z.ZodType<T>,
    expand: readonly string[] = [],
  ): Promise<T | 'unknown' | 'no_answer'> =>
    objectIn(
      await call({
        method: 'GET',
        path: `/v1/${path}/${encodeURIComponent(id)}`,
        ...(expand.length > 0 && { fields: { expand } }),
      }),
      schema,
    );

  const sessionById = (id: string) =>
    read('checkout/sessions', id, stripeSession, sessionFields.expand);

  /** Without Stripe's id stored, the browser never got Stripe's address, so nobody can have paid. */
  const sessionOf = async ({ providerReference }: AttemptAsked) =>
    providerReference === null ? 'unknown' : sessionById(providerReference);

  /** The whole of a list, newest first, page after page. */
  const pagesOf = async <T extends { id: string }>(
    path: string,
    schema: z.ZodType<{ data: T[]; has_more: boolean }>,
    filter: StripeFields,
  ): Promise<T[] | 'unknown' | 'no_answer'> => {
    const all: T[] = [];
    for (;;) {
      const last = all.at(-1)?.id;
      const fields = { ...filter, limit: PAGE, ...(last && { starting_after: last }) };
      const page = objectIn(await call({ method: 'GET', path, fields }), schema);
      if (typeof page === 'string') return page;
      all.push(...page.data);
      if (!page.has_more || page.data.length === 0) return all;
    }
  };

  const refundsOf = (charge: string) => pagesOf('/v1/refunds', stripeRefunds, { charge });

  /** A refund of ours that Stripe has, also after it has dropped the idempotency key (24 hours). */
  const earlierRefund = async ({ refundId, attempt }: RefundToMake) => {
    const refunds = await refundsOf(attempt.captureId);
    if (typeof refunds === 'string') return refunds;
    const known = refunds.find((refund) => ourRefundId(refund) === refundId);
    return known ? refundMade(known) : 'unknown';
  };

  const tellOfSession = async (id: string): Promise<ProviderNotification> => {
    const session = await sessionById(id);
    if (typeof session === 'string') return unanswered(session);
    const attemptId = ours.safeParse(session.client_reference_id).data;
    if (!attemptId) return { kind: 'irrelevant' };
    const event = toSessionEvent(session, attemptId);
    if (event === 'no_answer') return { kind: 'unavailable' };
    return event === 'nothing' ? { kind: 'irrelevant' } : { kind: 'payment', event };
  };

  const tellOfCharge = async (id: string): Promise<ProviderNotification> => {
    const charge = await read('charges', id, stripeCharge);
    if (typeof charge === 'string') return unanswered(charge);
    if (!marked.safeParse(charge).success) return { kind: 'irrelevant' };
    const refunds = await refundsOf(charge.id);
    if (typeof refunds === 'string') return unanswered(refunds);
    return { kind: 'refunds', events: refunds.map(refundEventOf) };
  };

  const tellOfRefund = async (id: string): Promise<ProviderNotification> => {
    const refund = await read('refunds', id, stripeRefund, ['charge']);
    if (typeof refund === 'string') return unanswered(refund);
    const isOurs = ourRefundId(refund) !== null || marked.safeParse(refund.charge).success;
    return isOurs ? { kind: 'refunds', events: [refundEventOf(refund)] } : { kind: 'irrelevant' };
  };

  const tellOfDispute = async (id: string): Promise<ProviderNotification> => {
    const dispute = await read('disputes', id, stripeDispute, ['charge']);
    if (typeof dispute === 'string') return unanswered(dispute);
    if (!marked.safeParse(dispute.charge).success) return { kind: 'irrelevant' };
    return { kind: 'dispute', dispute: disputeOf(dispute) };
  };

  const tellers: Record<StripeHint['about'], (id: string) => Promise<ProviderNotification>> = {
    session: tellOfSession,
    charge: tellOfCharge,
    refund: tellOfRefund,
    dispute: tellOfDispute,
  };

  return {
    name: 'stripe',

    async begin(attempt) {
      const answer = await call({
        method: 'POST',
        path: '/v1/checkout/sessions',
        fields: sessionRequest(attempt, now()),
        idempotencyKey: attempt.id,
      });
      if (answer === 'no_answer') return refused(noAnswer);
      if (answer.status >= 400) {
        const message = `Stripe refused: ${codeOf(answer.body) ?? answer.status}`;
        return refused({ code: 'refused', message });
      }
      const session = objectIn(answer, stripeSession);
      if (typeof session === 'string' || !/^https?:\/\//.test(session.url ?? '')) {
        return refused({ code: 'no_answer', message: 'Stripe gave no payment link' });
      }
      const url = session.url ?? '';
      return ok({ providerReference: session.id, checkoutRedirect: { kind: 'link', url } });
    },

    async ask(attempt) {
      const session = await sessionOf(attempt);
      return typeof session === 'string' ? session : toSessionEvent(session, attempt.id);
    },

    async closePage({ providerReference }) {
      // The browser never got the page's address.
      if (providerReference === null) return 'closed';
      const path = `/v1/checkout/sessions/${encodeURIComponent(providerReference)}/expire`;
      const answer = await call({ method: 'POST', path });
      // Stripe refuses for a session that is no longer open.
      return answer === 'no_answer' ? answer : 'closed';
    },

    // A returning browser proves nothing.
    readReturn: () => null,

    async readNotification(raw) {
      if (!isFromStripe(raw, settings.webhookSecrets, now())) return { kind: 'unverified' };
      const hint = readHint(parseJson(raw.body));
      return hint ? tellers[hint.about](hint.id) : { kind: 'irrelevant' };
    },

    async refund(refund) {
      // Looked for first: a repetition after 24 hours would be another refund to Stripe.
      const earlier = await earlierRefund(refund);
      if (typeof earlier === 'object') return ok(earlier);
      if (earlier === 'no_answer') return refused(noAnswer);
      const answer = await call({
        method: 'POST',
        path: '/v1/refunds',
        fields: refundRequest(refund),
        idempotencyKey: refund.refundId,
      });
      if (answer === 'no_answer') return refused(noAnswer);
      if (answer.status >= 400) {
        const message = `Refund refused: ${codeOf(answer.body) ?? answer.status}`;
        return refused({ code: 'refused', message });
      }
      const made = objectIn(answer, stripeRefund);
      return typeof made === 'string' ? refused(noAnswer) : ok(refundMade(made));
    },

    async askRefund(refund) {
      if (refund.providerRefundId === null) return earlierRefund(refund);
      const found = await read('refunds', refund.providerRefundId, stripeRefund);
      return typeof found === 'string' ? found : refundMade(found);
    },

    async movements({ from, to }) {
      const created = { gte: seconds(from), lt: seconds(to) };
      const all = await pagesOf('/v1/balance_transactions', balanceTransactions, {
        created,
        expand: ['data.source'],
      });
      return typeof all === 'string' ? 'no_answer' : all.flatMap((one) => toMovement(one) ?? []);
    },

    async books(attempt) {
      const session = await sessionOf(attempt);
      if (typeof session === 'string') return session;
      const charge = capturedCharge(session);
      if (!charge) return { captured: null, captureId: null, refunded: usd(0) };
      const refunds = await refundsOf(charge.id);
      if (typeof refunds === 'string') return 'no_answer';
      return {
        captured: readAmount(charge.amount_captured, charge.currency),
        captureId: charge.id,
        refunded: refundedOf(refunds),
      };
    },
  };
}

const noAnswer = { code: 'no_answer', message: 'Stripe could not be reached' } as const;

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

const unanswered = (why: 'unknown' | 'no_answer'): ProviderNotification => ({
  kind: why === 'unknown' ? 'irrelevant' : 'unavailable',
});

function objectIn<T>(answer: StripeAnswer, schema: z.ZodType<T>): T | 'unknown' | 'no_answer' {
  if (answer === 'no_answer') return answer;
  if (answer.status === 404) return 'unknown';
  return answer.status < 300 ? (schema.safeParse(answer.body).data ?? 'no_answer') : 'no_answer';
}

const refusal = z.object({
  error: z.object({ code: z.string().optional(), type: z.string().optional() }),
});

/** Stripe's code for a refusal, or its kind; null without one. */
function codeOf(body: unknown): string | null {
  const error = refusal.safeParse(body).data?.error;
  return error?.code ?? error?.type ?? null;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
