import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitBody } from './limit-body.server.ts';

const app = new Hono();
app.use(limitBody({ maxSize: 10, onError: (c) => c.text('too large', 413) }));
app.all('*', async (c) => c.text(`read ${(await c.req.text()).length}`));

let server: ReturnType<typeof serve>;
beforeAll(async () => {
  await new Promise<AddressInfo>((resolve) => {
    server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, resolve);
  });
});
afterAll(() => server.close());

/** With a length only where it is named: otherwise in chunks. */
function send(body: string, headers: Record<string, string> = {}): Promise<string> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers }, (answer) => {
      text(answer).then((received) => resolve(`${answer.statusCode} ${received}`), reject);
    });
    sent.on('error', reject);
    for (const part of body.match(/.{1,4}/g) ?? []) sent.write(part);
    sent.end();
  });
}

test.each([
  ['as long as allowed', '0123456789', '200 read 10'],
  ['longer than allowed', '01234567890', '413 too large'],
])('a body %s is judged the same with its length and in chunks', async (_, body, expected) => {
  expect(await send(body, { 'content-length': String(body.length) })).toBe(expected);
  expect(await send(body)).toBe(expected);
});

test('without a server between, bytes are counted', async () => {
  const ask = (body: string) => app.request('/', { method: 'POST', body });
  expect((await ask('0123456789')).status).toBe(200);
  expect((await ask('01234567890')).status).toBe(413);
});

test('what has no body passes', async () => {
  expect((await app.request('/')).status).toBe(200);
  expect((await app.request('/', { method: 'POST' })).status).toBe(200);
});
