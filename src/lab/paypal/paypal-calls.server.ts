import { type Context, Hono } from 'hono';
import { createPublicKey, sign } from 'node:crypto';
import { z } from 'zod';
import { parseMoney } from '~/base/money.ts';
import { readFormBody, readJson } from '~/platform/input/read-body.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import {
  type PartnerResponse,
  type PartnerEnv,
  runKeyedChange,
  withFault,
} from '../partner.server.ts';
import {
  captureOrder,
  refundCapture,
  certificateId,
  issueToken,
  isToken,
  newId,
  type SimulatedPaypal,
  TOKEN_SECONDS,
} from './simulated-paypal.server.ts';
import {
  captures,
  orders,
  refunds,
  wholeOrder,
  captureInEvent,
  errorJson,
  orderJson,
  refundJson,
} from './paypal-resources.server.ts';

const money = z.object({ currency_code: z.literal('USD'), value: z.string() });

const orderBody = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.object({
        reference_id: z.string().max(256).default('default'),
        custom_id: z.string().max(127).optional(),
        description: z.string().max(127).optional(),
        amount: money,
      }),
    )
    .length(1),
  payment_source: z.object({
    paypal: z.object({
      experience_context: z.object({
        brand_name: z.string().optional(),
        return_url: z.url(),
        cancel_url: z.url(),
      }),
    }),
  }),
});

const refundBody = z.object({
  amount: money.optional(),
  custom_id: z.string().max(127).optional(),
});

const failed = (status: 400 | 404 | 422, issue: string): PartnerResponse => ({
  status,
  body: errorJson(status, issue, newId()),
});

/**
 * The simulated PayPal's server calls: those of Orders v2 and Payments v2 that Lale makes, tokens and the certificate.
 */
export function paypalCalls(paypal: SimulatedPaypal) {
  const app = new Hono<PartnerEnv>();
  const certificate = selfSigned('messageverificationcerts.paypal.lab', paypal.privateKey);

  /** Runs a change once for each request id; a repetition gets the first response. */
  const once = async (
    c: Context<PartnerEnv>,
    repeated: 200 | 201,
    work: (tx: Transaction) => Promise<PartnerResponse>,
  ): Promise<Response> => {
    const requestId = c.req.header('paypal-request-id');
    const key = requestId && `${c.req.path} ${requestId}`;
    const { status, body, isRepeated } = await runKeyedChange(paypal, { key }, work);
    return Response.json(body, { status: isRepeated ? repeated : status });
  };

  const jsonOf = async (c: Context<PartnerEnv>): Promise<unknown> => {
    const read = await readJson(c.req.raw);
    return read.ok ? read.value : null;
  };

  app.post('/v1/oauth2/token', (c) =>
    withFault(c, paypal, 'token', async () => {
      const given = Buffer.from((c.req.header('authorization') ?? '').slice(6), 'base64');
      if (given.toString() !== `${paypal.clientId}:${paypal.clientSecret}`) {
        return Response.json({ error: 'invalid_client' }, { status: 401 });
      }
      const form = await readFormBody(c.req.raw);
      const asked = form.ok ? form.value.get('response_type') : null;
      const use = asked === 'client_token' ? 'browser' : 'api';
      return Response.json({
        access_token: issueToken(paypal, use),
        token_type: 'Bearer',
        app_id: 'APP-LALETEST',
        expires_in: TOKEN_SECONDS,
      });
    }),
  );

  app.get('/v1/notifications/certs/:id', (c) =>
    withFault(c, paypal, 'certificate', async () => {
      if (c.req.param('id') !== certificateId(paypal)) return new Response(null, { status: 404 });
      return new Response(certificate, { headers: { 'content-type': 'application/x-pem-file' } });
    }),
  );

  for (const path of ['/v2/*', '/v1/identity/*']) {
    app.use(path, async (c, next) => {
      const token = (c.req.header('authorization') ?? '').replace(/^Bearer /, '');
      if (isToken(paypal, token)) return next();
      return c.json(errorJson(401, null, newId()), 401);
    });
  }

  app.post('/v1/identity/generate-token', (c) =>
    c.json({ client_token: issueToken(paypal, 'browser'), expires_in: TOKEN_SECONDS }),
  );

  app.post('/v2/checkout/orders', (c) =>
    withFault(c, paypal, 'create', async () => {
      const asked = orderBody.safeParse(await jsonOf(c)).data;
      return once(c, 200, async (tx) => {
        const unit = asked?.purchase_units[0];
        const amount = parseMoney(unit?.amount.value ?? '');
        if (!asked || !unit) return failed(400, 'INVALID_PARAMETER_SYNTAX');
        if (!amount || amount.minor === 0) return failed(422, 'CANNOT_BE_ZERO_OR_NEGATIVE');
        const { experience_context: shown } = asked.payment_source.paypal;
        const id = newId();
        await orders.insert(tx, {
          id,
          referenceId: unit.reference_id,
          customId: unit.custom_id ?? null,
          description: unit.description ?? null,
          value: unit.amount.value,
          currency: unit.amount.currency_code,
          brand: shown.brand_name ?? null,
          returnUrl: shown.return_url,
          cancelUrl: shown.cancel_url,
          status: 'PAYER_ACTION_REQUIRED',
          createdAt: paypal.now(),
        });
        // With a payment source PayPal answers 200, not 201.
        return { status: 200, body: await shownOrder(tx, id) };
      });
    }),
  );

  app.get('/v2/checkout/orders/:id', (c) =>
    withFault(c, paypal, 'get', async () => {
      const whole = await wholeOrder(paypal.db, c.req.param('id'));
      if (whole) return Response.json(orderJson(whole, paypal));
      return Response.json(errorJson(404, 'INVALID_RESOURCE_ID', newId()), { status: 404 });
    }),
  );

  app.post('/v2/checkout/orders/:id/capture', (c) =>
    withFault(c, paypal, 'capture', () =>
      once(c, 200, async (tx) => {
        const id = c.req.param('id');
        const refusal = await captureOrder(tx, paypal, id);
        if (refusal) return failed(refusal.status, refusal.issue);
        return { status: 201, body: await shownOrder(tx, id) };
      }),
    ),
  );

  app.post('/v2/payments/captures/:id/refund', (c) =>
    withFault(c, paypal, 'refund', async (fault) => {
      const asked = refundBody.safeParse(await jsonOf(c)).data;
      return once(c, 201, async (tx) => {
        if (!asked) return failed(400, 'INVALID_PARAMETER_SYNTAX');
        const refund = await refundCapture(
          tx,
          paypal,
          {
            captureId: c.req.param('id'),
            value: asked.amount?.value ?? null,
            customId: asked.custom_id ?? null,
          },
          fault,
        );
        if ('issue' in refund) return failed(refund.status, refund.issue);
        return { status: 201, body: refundJson(refund, paypal) };
      });
    }),
  );

  app.get('/v2/payments/captures/:id', async (c) => {
    const capture = await captures.get(paypal.db, c.req.param('id'));
    if (capture) return c.json(captureInEvent(capture, paypal));
    return c.json(errorJson(404, 'INVALID_RESOURCE_ID', newId()), 404);
  });

  app.get('/v2/payments/refunds/:id', async (c) => {
    const refund = await refunds.get(paypal.db, c.req.param('id'));
    if (refund) return c.json(refundJson(refund, paypal));
    return c.json(errorJson(404, 'INVALID_RESOURCE_ID', newId()), 404);
  });

  async function shownOrder(tx: Transaction, id: string): Promise<object> {
    const whole = await wholeOrder(tx, id);
    if (!whole) throw new Error('The simulated PayPal lost an order');
    return orderJson(whole, paypal);
  }
  return app;
}

/** Node reads certificates but cannot make them: the DER structures of a self-signed one (RFC 5280). */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = 0x05;
const OBJECT_ID = 0x06;
const UTF8_TEXT = 0x0c;
const UTC_TIME = 0x17;
const VERSION = 0xa0;

/** sha256WithRSAEncryption and commonName. */
const RSA_SHA256 = der(OBJECT_ID, Buffer.from('2a864886f70d01010b', 'hex'));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));

const algorithm = der(SEQUENCE, RSA_SHA256, der(NULL));
const time = (text: string) => der(UTC_TIME, Buffer.from(text));
const bits = (content: Buffer) => der(BIT_STRING, Buffer.from([0]), content);

/** A self-signed certificate for an RSA key, valid from 2020 to 2049, as PEM. */
export function selfSigned(name: string, privateKey: string): string {
  const subject = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_TEXT, Buffer.from(name)))),
  );
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    subject,
    der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signed = der(SEQUENCE, body, algorithm, bits(sign('RSA-SHA256', body, privateKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
