import { expect, test } from 'vitest';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const TOKEN = 'a-token-of-this-test-alone';
const open = makeTestApp(await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } }));
const none = makeTestApp(await makeTestPlatform());

test.each([undefined, '', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, TOKEN])(
  'the figures are shown to nobody with %j',
  async (authorization) => {
    const headers = new Headers(
      authorization === undefined ? [] : [['authorization', authorization]],
    );
    const answer = await open.request('/metrics', { headers });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('lale_');
  },
);

test('the figures are shown to whoever has the token', async () => {
  const answer = await open.request('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.text()).toContain('lale_csp_violations_total');
});

test('without a token there are no figures', async () => {
  const answer = await none.request('/metrics', { headers: { authorization: 'Bearer ' } });
  expect(answer.status).toBe(404);
});
