import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as build from 'virtual:react-router/server-build';
import { createApp } from '~/app/app.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeAdmission, workBounds } from '~/platform/admission/admission.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
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

/** A name that no longer exists makes no error there: the alert stays silent and the panel empty. */
test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/lale.json'])(
  '%s names figures that the service has',
  async (file) => {
    const platform = await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } });
    const app = createApp({
      platform,
      payments: makePayments(platform),
      build,
      mode: 'test',
      admission: makeAdmission({
        bounds: workBounds(platform.config.work),
        waitMs: 1,
        latestMs: 1000,
        loopDelayMs: () => 0,
      }),
    });
    const answer = await app.request('/metrics', {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const text = await answer.text();
    const exported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const watched = readFileSync(join(projectRoot, file), 'utf8');
    const named = [...watched.matchAll(/\b(?:lale|nodejs|process)_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.filter(
        (name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, '')),
      ),
    ).toEqual([]);
  },
);
