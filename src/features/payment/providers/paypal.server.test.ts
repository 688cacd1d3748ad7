import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { paypal } from './paypal.server.ts';

/** An approved order at a PayPal that loses the first answer to its capture; and what it was sent. */
async function losingPaypal(attemptId: string) {
  const amount = { currency_code: 'USD', value: '94.00' };
  const capture = { id: 'CAPTURE1', status: 'COMPLETED', amount, custom_id: attemptId };
  const order = (captures: object[]) => ({
    id: 'ORDER1',
    status: captures.length > 0 ? 'COMPLETED' : 'APPROVED',
    purchase_units: [{ custom_id: attemptId, amount, payments: { captures } }],
  });
  const captured: unknown[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url?.endsWith('/token')) answer(200, { access_token: 'T', expires_in: 3600 });
    else if (request.url?.endsWith('/capture')) {
      captured.push(request.headers['paypal-request-id']);
      answer(captured.length % 2 === 1 ? 500 : 201, order([capture]));
    } else answer(200, order([]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('It does not listen');
  return { endpoint: `http://127.0.0.1:${address.port}`, captured, server };
}

test('every try to capture an attempt carries the same request id, so that PayPal takes the money once', async ({
  onTestFinished,
}) => {
  const attempt = { id: randomUUID(), providerReference: 'ORDER1' };
  const { endpoint, captured, server } = await losingPaypal(attempt.id);
  onTestFinished(() => void server.close());
  const provider = paypal({
    endpoint,
    clientId: 'id',
    clientSecret: 'secret',
    timeoutMs: 5000,
    webhookId: 'W',
    certificates: `${endpoint}/certs/`,
    now: () => new Date(),
  });
  // The second time as the sweep asks, perhaps from another process.
  for (let asked = 0; asked < 2; asked += 1) {
    const answer = await provider.ask(attempt, { mayCapture: true });
    expect(answer).toMatchObject({ attemptId: attempt.id });
  }
  const id = `capture-${attempt.id}`;
  expect(captured).toEqual([id, id, id, id]);
});
