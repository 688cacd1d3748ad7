import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usd } from '~/base/money.ts';
import { cardGatewayDigests } from '~/platform/config/config-card-gateway.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { EXPIRY_MS } from '../settlement/sweep.server.ts';
import {
  cardGateway,
  LONGEST_PAYLOAD,
  type CardGatewaySettings,
  interpretPayment,
  interpretRefund,
  paymentStatement,
  readStatement,
  refundStatement,
} from './card-gateway.server.ts';
import { canonical, isSigned } from './signed-fields.server.ts';

const page = readFileSync(join(projectRoot, 'docs', 'card-gateway.md'), 'utf8');

/** The examples under one mark, like ```json gateway payment. */
const examples = (mark: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${mark}\\n([^]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, example = '']) => example,
  );
const [merchantKey = ''] = examples('pem merchant');
const [gatewayKey = ''] = examples('pem gateway');
const fieldsOf = (json: string) => z.record(z.string(), z.string()).parse(JSON.parse(json));
const keys = { providerPublicKeys: [gatewayKey], digest: 'sha256' as const };
const encoded = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64');

/** The names in the first column of the table below a heading. */
function namesUnder(heading: string): string[] {
  const [, after = ''] = page.split(`${heading}\n`);
  const [table = ''] = after.split('\n\n').filter((part) => part.trimStart().startsWith('| Field'));
  return table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
    .map(([, name = '']) => name);
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const ours = (differences: Partial<CardGatewaySettings> = {}) =>
  cardGateway({
    endpoint: 'https://pay.bank.example/api',
    publicEndpoint: 'https://pay.bank.example',
    merchantId: 'LALE',
    privateKey,
    ...keys,
    mode: 'form',
    timeoutMs: 1000,
    errorUrl: 'https://visa.example.org/e',
    notificationUrl: 'https://visa.example.org/n',
    ...differences,
  });
const toBegin = {
  id: crypto.randomUUID(),
  reference: '',
  amount: usd(94_00),
  description: '',
  language: 'en',
  returnUrl: 'https://visa.example.org/r',
  cancelUrl: 'https://visa.example.org/c',
  customer: { name: '', email: '', address: '' },
};

/** What our side sends, as the browser's form. */
async function formOf() {
  const begun = await ours().begin(toBegin);
  if (!begun.ok || begun.value.checkoutRedirect.kind !== 'form') throw new Error('No form');
  return begun.value.checkoutRedirect;
}

/** What our server sends a gateway that knows nothing, by path. */
async function callsOf(): Promise<Map<string, string[]>> {
  const calls = new Map<string, string[]>();
  const gateway = new Hono();
  gateway.post('*', async (c) => {
    calls.set(c.req.path, Object.keys(fieldsOf(await c.req.text())).toSorted());
    return c.json({}, 404);
  });
  const server = serve({ fetch: gateway.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const provider = ours({ endpoint: `http://127.0.0.1:${port}`, mode: 'api' });
  const attempt = { id: toBegin.id, providerReference: null, captureId: 'C-2000' };
  const refund = { refundId: crypto.randomUUID(), attempt, amount: usd(75_20) };
  await provider.begin(toBegin);
  await provider.ask(attempt, { mayCapture: false });
  await provider.refund(refund);
  await provider.askRefund({ ...refund, providerRefundId: null });
  server.close();
  return calls;
}

describe('docs/card-gateway.md', () => {
  it('signs its examples as our code does', () => {
    const signed = examples(String.raw`json merchant POST \S+`);
    expect(signed).toHaveLength(4);
    for (const one of signed) expect(isSigned(fieldsOf(one), [merchantKey], 'sha256')).toBe(true);
    expect(canonical(fieldsOf(signed[0] ?? ''))).toBe(examples('text canonical')[0]);
  });

  it('shows every call of ours, with exactly the fields that we send', async () => {
    const calls = await callsOf();
    expect([...calls.keys()].toSorted()).toEqual([
      '/v1/checkout',
      '/v1/refunds',
      '/v1/refunds/query',
      '/v1/transactions/query',
    ]);
    for (const [path, names] of calls) {
      const [example = '{}'] = examples(`json merchant POST ${path}`);
      expect(Object.keys(fieldsOf(example)).toSorted()).toEqual(names);
    }
  });

  it('lists exactly the fields with which a payment begins', async () => {
    const { fields, url } = await formOf();
    const listed = namesUnder('### `POST /v1/checkout`: a payment begins');
    expect(listed.toSorted()).toEqual([...Object.keys(fields), 'connectionMode'].toSorted());
    const [example = '{}'] = examples('json merchant POST /v1/checkout');
    expect(Object.keys(fieldsOf(example)).toSorted()).toEqual(listed.toSorted());
    expect(url).toBe('https://pay.bank.example/v1/checkout');
  });

  it('shows statements about a payment that our code reads as it says', () => {
    const [completed = '', declined = ''] = examples('json gateway payment');
    const read = (json: string) => readStatement(encoded(fieldsOf(json)), keys);
    const statement = read(completed);
    expect(
      statement && 'payment' in statement && interpretPayment(statement.payment),
    ).toMatchObject({
      event: 'capture',
      amount: usd(94_00),
      captureId: 'C-2000',
      providerReference: 'T-1000',
    });
    const refused = read(declined);
    expect(refused && 'payment' in refused && interpretPayment(refused.payment)).toMatchObject({
      event: 'decline',
      reason: 'insufficient_funds',
    });
    const [notification = '{}'] = examples('json notification');
    expect(readStatement(fieldsOf(notification).payload ?? '', keys)).toEqual(statement);
    const changed = { ...fieldsOf(completed), amount: '9.00' };
    expect(readStatement(encoded(changed), keys)).toBeNull();
  });

  it('names only fields of a statement that our code knows, and all that it needs', () => {
    const listed = namesUnder('### A payment');
    const [completed = '{}'] = examples('json gateway payment');
    for (const name of Object.keys(fieldsOf(completed))) expect(listed).toContain(name);
    const names = Object.keys(paymentStatement.shape);
    expect(listed.toSorted()).toEqual([...names, 'signature'].toSorted());
  });

  it('lists the states of a payment', () => {
    const [, table = ''] = page.split('| `status` | Means | We |');
    const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
    const one = { eventId: 'e', transactionId: 't', orderId: crypto.randomUUID(), amount: '1.00' };
    const events = listed.slice(0, 4).map((status) => {
      const event = interpretPayment({ ...one, status: status as 'created' });
      return typeof event === 'string' ? event : event.event;
    });
    expect(listed.slice(0, 4)).toEqual(['created', 'completed', 'declined', 'cancelled']);
    expect(events).toEqual(['nothing', 'capture', 'decline', 'cancel']);
  });

  it('shows a refund that our code reads', () => {
    const [refund = '{}'] = examples('json gateway refund');
    const statement = readStatement(encoded(fieldsOf(refund)), keys);
    expect(statement && 'refund' in statement && interpretRefund(statement.refund)).toMatchObject({
      state: 'completed',
      amount: usd(75_20),
      captureId: 'C-2000',
    });
    const names = [...Object.keys(refundStatement.shape), 'signature'];
    expect(Object.keys(fieldsOf(refund)).toSorted()).toEqual(names.toSorted());
  });

  it('names how long a message and its texts may be', () => {
    expect(page).toContain(`${LONGEST_PAYLOAD.toLocaleString('en')} characters of base64 at most`);
    const [completed = '{}'] = examples('json gateway payment');
    const isRead = (changes: object) =>
      paymentStatement.safeParse({ ...fieldsOf(completed), ...changes }).success;
    for (const name of ['eventId', 'captureId', 'reason']) {
      expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|[^|]*200 characters`));
      expect(isRead({ [name]: 'x'.repeat(200) })).toBe(true);
      expect(isRead({ [name]: 'x'.repeat(201) })).toBe(false);
    }
  });

  it('names the digests and the time after which a payment is given up', () => {
    for (const digest of cardGatewayDigests) expect(page).toContain(`\`${digest}\``);
    expect(page).toContain(`stays \`created\` after ${EXPIRY_MS / 3600_000} hours`);
  });
});
