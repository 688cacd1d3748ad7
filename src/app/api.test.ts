import { eq } from 'drizzle-orm';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeTestPlatform } from '../../test/platform.ts';
import { callsOf } from '../../test/routes-and-calls.ts';
import { makeTestApp } from '../../test/pages.ts';
import { describeApi } from './api/api-description.server.ts';
import { api } from './api.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { makePayments } from './composition/payments.server.ts';
import { seeders } from './composition/seeders.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { problemStatuses } from '~/platform/http/problem-codes.ts';

const platform = await makeTestPlatform();
await seedAll(platform.db, seeders, platform.now());
const app = api(platform, makePayments(platform));

describe('the calls', () => {
  const description = describeApi('https://lale.example', {
    reader: 'staff',
    staffCookie: 'staff_cookie',
  });
  const documented = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );

  test('are all described, and no other', () => {
    /** Not described: what partners send, and the description itself. */
    const aside = /^\/api\/(payment\/(return|notification)\/|docs$|openapi\.json$)/;
    const served = callsOf(platform, makePayments(platform))
      .filter(({ path }) => /^\/(api|paypal)\//.test(path) && !aside.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(documented.map((call) => call.join(' ')).toSorted()).toEqual(
      [...new Set(served)].toSorted(),
    );
  });

  test.each(documented)('%s %s is served as described', async (method, path) => {
    const response = await app.request(path.replace(/\{\w+\}/, 'TRV7K2M9QXD4HPBR'), {
      method,
      ...(method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    // 502 says that a partner cannot be reached; any other 5xx would be a fault of ours.
    if (response.status !== 502) expect(response.status).toBeLessThan(500);
    if (response.status === 404) {
      const known = /^(application|paypal_order)_not_found$/;
      expect(await response.json()).toMatchObject({ code: expect.stringMatching(known) });
    }
    if (path.startsWith('/api/admin/')) expect(response.status).toBe(401);
  });

  test('a described address says which methods it takes', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/applications', 'POST'],
      ['DELETE', '/api/applications/TRV7K2M9QXD4HPBR', 'GET, HEAD'],
      ['GET', '/paypal/order', 'POST'],
    ] as const) {
      const response = await app.request(path, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
    }
    expect((await app.request('/api/admin/stats', { method: 'PUT' })).status).toBe(401);
  });

  test('a parameter that is not described is refused by its name, and so is a wrong value', async () => {
    const unknown = await app.request('/api/countries?languag=tr');
    expect([unknown.status, await unknown.json()]).toMatchObject([
      422,
      { code: 'unknown_parameter', errors: { languag: 'unknown_parameter' } },
    ]);
    const wrong = await app.request('/api/countries?language=xx');
    expect([wrong.status, await wrong.json()]).toMatchObject([
      422,
      { code: 'invalid', errors: { language: 'invalid_value' } },
    ]);
  });

  test('an unknown call is a problem with a stable code', async () => {
    const response = await app.request('/api/nothing');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test('the codes of refusals are listed, and each is one that the service answers', () => {
    const { properties } = z
      .object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) })
      .parse(description.components.schemas.Problem);
    const codes = Object.keys(problemStatuses);
    expect(codes).toEqual(expect.arrayContaining(properties.code.enum));
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|problem-codes|\/testing\//.test(file))
      .map((file) => readFileSync(join(projectRoot, 'src', file), 'utf8'))
      .join('\n');
    expect(
      codes.filter((one) => !new RegExp(`'${one}'|^  ${one}: \\{`, 'm').test(sources)),
    ).toEqual([]);
  });

  test('the description and its readable form are served', async () => {
    const json = await app.request('/api/openapi.json');
    expect(await json.json()).toMatchObject({ openapi: '3.1.0' });
    const html = await (await app.request('/api/docs')).text();
    for (const [method, path] of documented) expect(html).toContain(`${method} ${path}`);
  });
});

describe('in live mode', async () => {
  const live = { ...platform, config: { ...platform.config, mode: 'live' as const } };
  const service = makeTestApp(live, makePayments(platform));
  const { id, cookie: reviewer } = await storeStaff(platform, { role: 'reviewer' });
  await platform.db
    .update(staffAccount)
    .set({
      totpSecret: platform.sealer.seal(Buffer.alloc(20), `staff_account.totp_secret:${id}`),
    })
    .where(eq(staffAccount.id, id));
  const { cookie: unready } = await storeStaff(platform, { role: 'reviewer' });

  async function readDescription(cookie = '') {
    const ask = async (path: string) => await service.request(path, { headers: { cookie } });
    const json = await ask('/api/openapi.json');
    const html = await ask('/api/docs');
    return { json: await json.text(), html: await html.text(), answers: [json, html] };
  }

  test.each([
    ['nobody', ''],
    ['who was never given that session', 'lale_staff=made-up'],
    ['staff who have yet to set up their second factor', unready],
  ])('%s is told the public calls alone', async (_, cookie) => {
    const { json, html, answers } = await readDescription(cookie);
    for (const text of [json, html]) {
      expect(text).toContain('/api/applications');
      expect(text).toContain('/api/insurance/products');
      expect(text.match(/admin|staff|refunds|claim/i)?.[0]).toBeUndefined();
    }
    for (const answer of answers) expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('signed-in staff are told all of them, under the same addresses', async () => {
    const { json, html, answers } = await readDescription(reviewer);
    for (const text of [json, html]) {
      expect(text).toContain('/api/applications');
      expect(text).toContain('/api/admin/refunds/{id}/release');
    }
    for (const answer of answers) expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('nobody is told of what is not served there', async () => {
    const { json } = await readDescription(reviewer);
    expect(json.match(/\/lab\/|debug|mock/i)?.[0]).toBeUndefined();
    const served = new Set(
      callsOf(live, makePayments(live)).map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')),
    );
    const paths = Object.keys(JSON.parse(json).paths);
    expect(paths.filter((path) => !served.has(path))).toEqual([]);
  });
});
