import { type Context, Hono } from 'hono';
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { readFormBody } from '~/platform/input/read-body.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import {
  type PartnerResponse,
  type PartnerEnv,
  runKeyedChange,
  withFault,
} from '../partner.server.ts';
import {
  expireSession,
  newId,
  refundCharge,
  type SimulatedStripe,
} from './simulated-stripe.server.ts';
import {
  balanceJson,
  chargeJson,
  disputeJson,
  errorJson,
  refundJson,
  sessionJson,
  disputes,
  chargeMovements,
  refunds,
  sessionRefunds,
  findSession,
  sessions,
  type StoredSession,
} from './stripe-resources.server.ts';

const wholeNumber = z.string().regex(/^\d+$/).transform(Number);
const metadata = z.record(z.string(), z.string());

/** As strict as Stripe: what it does not know is an error. */
const sessionBody = z.strictObject({
  mode: z.literal('payment'),
  client_reference_id: z.string().max(200).optional(),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  expires_at: wholeNumber,
  locale: z.enum(['auto', 'en', 'tr', 'de', 'fr', 'es']),
  payment_method_types: z.array(z.literal('card')).length(1),
  adaptive_pricing: z.strictObject({ enabled: z.enum(['true', 'false']) }).optional(),
  line_items: z
    .array(
      z.strictObject({
        quantity: wholeNumber,
        price_data: z.strictObject({
          currency: z.literal('usd'),
          unit_amount: wholeNumber,
          product_data: z.strictObject({ name: z.string().min(1) }),
        }),
      }),
    )
    .length(1),
  metadata: metadata.optional(),
  payment_intent_data: z
    .strictObject({ description: z.string().optional(), metadata: metadata.optional() })
    .optional(),
});

const refundBody = z.strictObject({
  charge: z.string(),
  amount: wholeNumber.optional(),
  metadata: metadata.optional(),
});

const second = wholeNumber.transform((value) => new Date(value * 1000));

const balanceQuery = z.strictObject({
  created: z.strictObject({ gte: second, lt: second }),
  limit: wholeNumber.default(10),
  starting_after: z.string().optional(),
  expand: z.array(z.string()).optional(),
});

/** A session lives half an hour to a day. */
const MIN_SESSION_SECONDS = 30 * 60;
const MAX_SESSION_SECONDS = 24 * 3600;

const invalid = (message: string): PartnerResponse => ({
  status: 400,
  body: errorJson('invalid_request_error', 'parameter_invalid', message),
});

/** Stripe's server calls that Lale makes: sessions, refunds, charges, disputes and the balance. */
export function stripeCalls(stripe: SimulatedStripe) {
  const app = new Hono<PartnerEnv>();

  /** Runs a change once for each idempotency key; a repetition gets the first response. */
  const once = async (
    c: Context<PartnerEnv>,
    work: (tx: Transaction, asked: unknown) => Promise<PartnerResponse>,
  ): Promise<Response> => {
    const read = await readFormBody(c.req.raw);
    const form = new URLSearchParams();
    for (const [name, value] of read.ok ? read.value : []) {
      if (typeof value === 'string') form.append(name, value);
    }
    const given = c.req.header('idempotency-key');
    const key = given && `${c.req.path} ${given}`;
    const asked = form.toString();
    const done = await runKeyedChange(stripe, { key, asked }, (tx) => work(tx, nestedForm(form)));
    if (done.asked !== asked) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return Response.json(errorJson('idempotency_error', null, message), { status: 400 });
    }
    return Response.json(done.body, { status: done.status });
  };

  const expandedIn = (c: Context<PartnerEnv>) =>
    [...new URL(c.req.url).searchParams]
      .filter(([name]) => name.startsWith('expand['))
      .map(([, value]) => value);

  const shown = (session: StoredSession, expanded: readonly string[] = []) =>
    sessionJson(session, { pageUrl: stripe.pageUrl, now: stripe.now(), expanded });

  const missing = (what: string, id: string) =>
    Response.json(
      errorJson('invalid_request_error', 'resource_missing', `No such ${what}: '${id}'`),
      { status: 404 },
    );

  app.use('/v1/*', async (c, next) => {
    const given = Buffer.from((c.req.header('authorization') ?? '').replace(/^Bearer /, ''));
    const expected = Buffer.from(stripe.secretKey);
    if (given.length === expected.length && timingSafeEqual(given, expected)) return next();
    return c.json(errorJson('invalid_request_error', null, 'Invalid API Key provided.'), 401);
  });

  app.post('/v1/checkout/sessions', (c) =>
    withFault(c, stripe, 'create', () =>
      once(c, async (tx, body) => {
        const read = sessionBody.safeParse(body);
        if (!read.success) return invalid(z.prettifyError(read.error));
        const asked = read.data;
        const [item] = asked.line_items;
        const now = stripe.now();
        const lives = asked.expires_at - now.getTime() / 1000;
        if (lives < MIN_SESSION_SECONDS || lives > MAX_SESSION_SECONDS)
          return invalid('expires_at');
        if (!item || item.price_data.unit_amount * item.quantity < 50) {
          const message = 'The amount must be at least 50 cents.';
          return {
            status: 400,
            body: errorJson('invalid_request_error', 'amount_too_small', message),
          };
        }
        const id = newId('cs_test', 58);
        const made = await sessions.insert(tx, {
          id,
          clientReferenceId: asked.client_reference_id ?? null,
          orderMark: asked.payment_intent_data?.metadata?.order ?? null,
          name: item.price_data.product_data.name,
          amount: item.price_data.unit_amount * item.quantity,
          currency: item.price_data.currency,
          successUrl: asked.success_url,
          cancelUrl: asked.cancel_url ?? null,
          status: 'open',
          expiresAt: new Date(asked.expires_at * 1000),
          createdAt: now,
        });
        if (!made) throw new Error('The simulated Stripe lost a session');
        return { status: 200, body: shown(made) };
      }),
    ),
  );

  app.get('/v1/checkout/sessions/:id', (c) =>
    withFault(c, stripe, 'get', async () => {
      const id = c.req.param('id');
      const session = await sessions.get(stripe.db, id);
      if (!session) return missing('checkout.session', id);
      return Response.json(shown(session, expandedIn(c)));
    }),
  );

  app.post('/v1/checkout/sessions/:id/expire', async (c) => {
    const id = c.req.param('id');
    const session = await expireSession(stripe, id);
    if (session === 'unknown') return missing('checkout.session', id);
    if (session) return c.json(shown(session));
    return c.json(invalid('Only an open Checkout Session can be expired.').body, 400);
  });

  app.post('/v1/refunds', (c) =>
    withFault(c, stripe, 'refund', (fault) =>
      once(c, async (tx, body) => {
        const asked = refundBody.safeParse(body).data;
        if (!asked) return invalid('Unknown or missing parameter.');
        const { charge: chargeId, amount = null } = asked;
        const mark = asked.metadata?.refund ?? null;
        const made = await refundCharge(tx, stripe, { chargeId, amount, mark }, fault);
        if (!('code' in made)) return { status: 200, body: refundJson(made.refund, made.session) };
        const { code, message } = made;
        return {
          status: code === 'resource_missing' ? 404 : 400,
          body: errorJson('invalid_request_error', code, message),
        };
      }),
    ),
  );

  app.get('/v1/refunds', (c) =>
    withFault(c, stripe, 'list', async () => {
      const { charge = '', limit = '10', starting_after: after } = c.req.query();
      const session = await findSession(stripe.db, 'chargeId', charge);
      if (!session) return missing('charge', charge);
      const all = await sessionRefunds(stripe.db, session.id);
      const rest = after ? all.slice(all.findIndex(({ id }) => id === after) + 1) : all;
      const page = rest.slice(0, Number(limit));
      return Response.json({
        object: 'list',
        data: page.map((refund) => refundJson(refund, session)),
        has_more: rest.length > page.length,
        url: '/v1/refunds',
      });
    }),
  );

  app.get('/v1/refunds/:id', async (c) => {
    const refund = await refunds.get(stripe.db, c.req.param('id'));
    const session = refund && (await sessions.get(stripe.db, refund.sessionId));
    if (!session) return missing('refund', c.req.param('id'));
    const isExpanded = expandedIn(c).includes('charge');
    return c.json(refundJson(refund, session, { isExpanded }));
  });

  app.get('/v1/charges/:id', async (c) => {
    const session = await findSession(stripe.db, 'chargeId', c.req.param('id'));
    if (!session) return missing('charge', c.req.param('id'));
    return c.json(chargeJson(session, await sessionRefunds(stripe.db, session.id)));
  });

  app.get('/v1/balance_transactions', (c) =>
    withFault(c, stripe, 'list', async () => {
      const query = nestedForm(new URL(c.req.url).searchParams);
      const asked = balanceQuery.safeParse(query).data;
      if (!asked)
        return Response.json(invalid('Unknown or missing parameter.').body, { status: 400 });
      const { created, limit, starting_after: after } = asked;
      const moved = await chargeMovements(stripe.db, created.gte, created.lt);
      const isExpanded = asked.expand?.includes('data.source') ?? false;
      const all = moved.map((one) => balanceJson(one, { isExpanded }));
      const rest = after ? all.slice(all.findIndex(({ id }) => id === after) + 1) : all;
      const data = rest.slice(0, limit);
      const more = rest.length > data.length;
      return Response.json({
        object: 'list',
        data,
        has_more: more,
        url: '/v1/balance_transactions',
      });
    }),
  );

  app.get('/v1/disputes/:id', async (c) => {
    const dispute = await disputes.get(stripe.db, c.req.param('id'));
    const session = dispute && (await sessions.get(stripe.db, dispute.sessionId));
    if (!session) return missing('dispute', c.req.param('id'));
    const isExpanded = expandedIn(c).includes('charge');
    return c.json(disputeJson(dispute, session, { isExpanded }));
  });
  return app;
}

/**
 * Reads a form as Stripe does: `a[b][0]=c` is `{ a: { b: ['c'] } }`. Every value is a text; an object whose names are
 * 0, 1, 2 … is a list.
 */
export function nestedForm(form: URLSearchParams): unknown {
  const root: Tree = new Map();
  for (const [name, value] of form) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    let at = root;
    const path = [first, ...rest];
    for (const part of path.slice(0, -1)) {
      const next = at.get(part);
      const inner: Tree = next instanceof Map ? next : new Map();
      at.set(part, inner);
      at = inner;
    }
    at.set(path.at(-1) ?? '', value);
  }
  return plain(root);
}

type Tree = Map<string, string | Tree>;

function plain(tree: Tree): unknown {
  const entries = [...tree].map(
    ([name, value]) => [name, typeof value === 'string' ? value : plain(value)] as const,
  );
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
