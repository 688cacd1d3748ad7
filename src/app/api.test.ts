import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, test, beforeAll, it } from 'vitest';
import { z } from 'zod';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { problemStatuses } from '~/platform/http/problem-codes.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { startVisaClocks } from '~/features/visa/store/store.server.ts';
import { makeTestPlatform } from '../../test/platform.ts';
import { apiCalls, fillAddress, pageAddresses } from '../../test/routes-and-calls.ts';
import { makeTestApp } from '../../test/pages.ts';
import { makeApplication } from '../../test/make.ts';
import { describeApi } from './api/api-docs.server.tsx';
import { calls } from './api/api-calls.server.ts';
import { api } from './api.server.ts';
import { makePayments } from './composition/payments.server.ts';
import { seeders } from './composition/seeders.server.ts';
import { jobHandlers, schedule } from './jobs.server.ts';

describe('api', async () => {
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
      const served = apiCalls(platform, makePayments(platform))
        .filter(({ path }) => /^\/(api|paypal)\//.test(path) && !aside.test(path))
        .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
      expect(documented.map((call) => call.join(' ')).toSorted()).toEqual(
        [...new Set(served)].toSorted(),
      );
    });

    test.each(documented)('%s %s is served as described', async (method, path) => {
      const response = await app.request(path.replace(/\{\w+\}/, 'TRV7K2M9QXD4HPBR'), {
        method,
        ...(method === 'GET'
          ? {}
          : { body: '{}', headers: { 'content-type': 'application/json' } }),
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

    test('examples show every member but these', () => {
      // A correction sends what was asked for, and its example shows one field.
      const left = Object.entries(calls)
        .filter(([path]) => !path.endsWith('/correction'))
        .flatMap(([, methods]) => Object.values(methods))
        .flatMap(({ body, example }) => (body ? membersLeftOut(body, example) : []));
      expect([...new Set(left)].toSorted()).toEqual(
        [
          // Of other travellers.
          'countryOfOrigin',
          'parentIdPhotos',
          'purpose',
          'residenceCountry',
          'supportingDocumentEndDate',
          'supportingDocumentNumber',
          'supportingDocumentStartDate',
          'supportingDocumentType',
          'visaCountry',
          // Of guests who pay, and of what the order says already.
          'billingCity',
          'billingCountry',
          'billingPhone',
          'billingStreet1',
          'billingZipCode',
          'description',
          'orderId',
          // One of two that say the same, or of another status.
          'documentUrl',
          'pdfAttachment',
          'reason',
          'reasonCode',
          // Where they differ from what the refund policy proposes.
          'amounts',
          'applications',
          'askedAt',
          'note',
        ].toSorted(),
      );
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
        apiCalls(live, makePayments(live)).map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')),
      );
      const paths = Object.keys(JSON.parse(json).paths);
      expect(paths.filter((path) => !served.has(path))).toEqual([]);
    });
  });
});

describe('limit changes', async () => {
  const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
  const app = makeTestApp(platform);
  const send = (address: string, path: string, accept = 'application/json') =>
    app.request(path, { method: 'POST', headers: { 'x-forwarded-for': address, accept } });

  /** Changes that have limits of their own, or are verified, or stand for outside services; each with why. */
  const uncounted = {
    '/admin': 'the desk: limits by person and address',
    '/api/admin': 'the desk',
    '/api/payment/notification': 'verified; a partner is never turned away',
    '/api/payment/return': 'signed by a partner',
    '/csp-reports': '30 a minute',
    '/lab/': 'simulated partners',
  };
  const isUncounted = (path: string) =>
    Object.keys(uncounted).some((start) => path.startsWith(start));
  const posts = [
    ...pageAddresses(),
    ...apiCalls(platform, makePayments(platform))
      .filter(({ method }) => method === 'POST')
      .map(({ path }) => path),
  ];
  const counted = [...new Set(posts)].filter((path) => !isUncounted(path));
  const full = '192.0.2.1';

  beforeAll(async () => {
    await seedAll(platform.db, seeders, platform.now());
    const changes = { name: 'api_changes', points: 600, seconds: 300 };
    await makeLimiter(platform.pool, changes).consume(full, 600);
    await makeLimiter(platform.pool, { ...changes, name: 'autosaves', points: 6000 }).consume(
      full,
      6000,
    );
  });

  test.each(counted)('POST %s is limited by address', async (path) => {
    const address = fillAddress(path, {});
    const { status, headers } = await send(full, address);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(full, `/tr${address === '/' ? '' : address}`)).status).toBe(429);
    expect((await send('192.0.2.2', address)).status).not.toBe(429);
  });

  test('a visitor gets a page, and nothing is begun above the limit', async () => {
    const response = await send(full, '/application', 'text/html');
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toContain('text/html');
    const { rows } = await platform.pool.query('select 1 from draft');
    const before = rows.length;
    await send(full, '/application');
    expect((await platform.pool.query('select 1 from draft')).rowCount).toBe(before);
  });

  test('partners are never turned away', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect((await send(full, '/api/payment/notification/card')).status).not.toBe(429);
      expect((await send(full, '/api/payment/return/card')).status).not.toBe(429);
    }
  });
});

describe('jobs', async () => {
  const platform = await makeTestPlatform();
  const handlers = jobHandlers(platform, makePayments(platform));

  test.each(schedule.map(({ name }) => name))(
    'the clock finds the job %s, which bears running twice',
    async (name) => {
      const handler = handlers[name];
      expect(handler).toBeDefined();
      const job = { id: '1', attempt: 1, isLastAttempt: false, signal: AbortSignal.timeout(5000) };
      await handler?.({}, job);
      await handler?.({}, job);
    },
  );
});

describe('service metrics', async () => {
  const TOKEN = 'a token of some length';
  const platform = await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } });
  const app = makeTestApp(platform);

  it('shows Prometheus what waits and what is overdue', async () => {
    const application = await makeApplication(platform, { paid: false });
    const paid = { paidAt: platform.now(), office: firstOffice };
    await platform.db.transaction((tx) => startVisaClocks(tx, [application.number], paid));
    platform.clock.advance(40 * 24 * 3600_000);
    await app.request('/api/countries');
    const answer = await app.request('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
    const text = await answer.text();
    expect(text).toContain('lale_applications_waiting{of="waiting"} 1');
    expect(text).toContain('lale_applications_waiting{of="overdue"} 1');
    expect(text).toContain('lale_payment_alerts_open 0');
    expect(text).toMatch(/lale_request_seconds_count\{method="GET",kind="call",status="2xx"\} 1/);
    expect(text).toContain('process_cpu_seconds_total');
  });
});

/** The names of a schema's members that an example of it leaves out. */
function membersLeftOut(schema: z.core.$ZodType, example: unknown): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return membersLeftOut(schema.unwrap(), example);
  if (schema instanceof z.ZodArray && Array.isArray(example)) {
    const { element } = schema;
    return example.flatMap((one) => membersLeftOut(element, one));
  }
  if (!(schema instanceof z.ZodObject) || typeof example !== 'object' || example === null)
    return [];
  const given = new Map<string, unknown>(Object.entries(example));
  return Object.entries(schema.shape).flatMap(([name, inner]) =>
    given.has(name) ? membersLeftOut(inner, given.get(name)) : [name],
  );
}
