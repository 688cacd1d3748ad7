import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { makeTestPlatform } from '../../../test/platform.ts';
import { limitCalls } from './rate-limit.server.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = new Hono();
app.post('/', limitCalls(platform, { name: 'test_calls', points: 3, seconds: 60 }), (c) =>
  c.text('done'),
);
const call = (address: string) =>
  app.request('/', { method: 'POST', headers: { 'x-forwarded-for': address } });

test('who calls too often is told to wait, and nobody else', async () => {
  for (let count = 0; count < 3; count += 1) {
    expect((await call('192.0.2.1')).status).toBe(200);
  }
  const refused = await call('192.0.2.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'too_many_calls' });
  expect((await call('192.0.2.2')).status).toBe(200);
});
