import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeApi, fieldCodes } from '~/app/api/api-docs.server.tsx';
import { calls } from '~/app/api/api-calls.server.ts';
import { unknownMembers } from '~/app/api.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import { applicationByNumber, type Application } from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { askCorrection } from '~/features/desk/application/ask-correction.server.ts';
import { goodPdf, storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { dataUrl } from '~/features/insurance/testing/api-calls.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { approve, simulatedPaypal } from '~/lab/paypal/simulated-paypal.server.ts';
import { newBrowser } from './browser.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import {
  applicationCorrections,
  makeApplication,
  type ApplicationOptions,
  makePayment,
  makeInsurance,
} from './make.ts';
import { needed } from './needed.ts';

describe('described answers', async () => {
  const service = await startTestService({
    variables: { REFUND_MANAGER_ABOVE: '50.00', TRUST_PROXY: 'yes' },
  });
  const { platform, payments, url } = service;
  const { db } = platform;
  await seedAll(db, seeders, platform.now());
  const app = makeTestApp(platform, payments);
  const { place } = purchases(service);
  const reviewer = await storeStaff(platform);
  const manager = await storeStaff(platform, { role: 'manager' });
  const { cookie: payer, sessionHash } = newBrowser(platform);

  const description = describeApi(url, { reader: 'staff', staffCookie: 'lale_staff' });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...description });

  type Method = 'get' | 'post' | 'patch';
  type Asked = {
    /** Values of the path's parameters, and of its query. */
    path?: Record<string, string>;
    query?: string;
    body?: object;
    cookie?: string;
    headers?: Record<string, string>;
  };

  const answered = new Set<string>();

  /** Makes a described call, and checks its answer against what the description says of that status. */
  async function call(
    method: Method,
    template: string,
    { path = {}, query = '', body, cookie = payer, headers = {} }: Asked = {},
  ) {
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
    const response = await app.request(`${filled}${query}`, {
      method: method.toUpperCase(),
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '192.0.2.7',
        origin: 'http://localhost',
        cookie,
        ...headers,
      },
      ...(body instanceof Uint8Array
        ? { body: Buffer.from(body) }
        : body && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const answer = await response.json();
    const place = [template, method, 'responses', String(status), 'content', type, 'schema'];
    const pointer = place.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    // Found again by its place: compiling one takes longer than the call.
    const validate = needed(ajv.getSchema(`doc#/paths/${pointer.join('/')}`));
    const name = `${method.toUpperCase()} ${template}`;
    expect(validate(answer) || validate.errors, `${name} ${status} ${JSON.stringify(answer)}`).toBe(
      true,
    );
    const { answer: described, staff = false } = needed(calls[template]?.[method]);
    if (status === described.status) {
      answered.add(name);
      expect(described.schema.safeParse(answer).error, name).toBeUndefined();
      expect(unknownMembers(described.schema, answer), name).toEqual(
        Array.isArray(answer) || !answer.ignored ? [] : ['ignored'],
      );
      const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
      const counted = method === 'get' || staff ? [] : limits;
      for (const header of counted) expect(response.headers.get(header), name).toMatch(/^\d+$/);
    }
    return { status, answer };
  }

  afterAll(() => {
    // Every call, or the answers of the others are only said to be so.
    const all = Object.entries(calls).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(all.filter((one) => !answered.has(one))).toEqual([]);
  });

  async function paid(given: ApplicationOptions = {}): Promise<Application> {
    const stored = await makeApplication(platform, { promisedAt: null, ...given });
    const order = needed(await orderByNumber(db, stored.orderNumber));
    await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
    return stored;
  }

  describe('answers are as they are described', () => {
    test('of what is sold', async () => {
      await call('post', '/api/seed');
      await call('get', '/api/countries', { query: '?language=tr' });
      await call('get', '/api/prices', { query: '?countryId=IND' });
      await call('get', '/api/prices', { query: '?countryId=ATL' });
      await call('get', '/api/insurance/products');
    });

    test('of applying, by what the specification sends and by our own examples', async () => {
      for (const path of ['/api/applications', '/api/insurance/applications', '/api/orders']) {
        const { example } = needed(calls[path]?.post);
        const { status, answer } = await call('post', path, { body: needed(example) });
        expect(status, path).toBe(201);
        const number = answer.applicationNumber ?? answer.orderNumber;
        expect((await call('get', `${path}/{number}`, { path: { number } })).status).toBe(200);
        await call('post', path, { body: { ...example, totalAmount: '1.00', unknown: true } });
        await call('post', path, { body: { ...example, firstName: 5, applications: [{}] } });
        await call('post', path, { body: {}, headers: { 'idempotency-key': 'x'.repeat(300) } });
        await call('get', `${path}/{number}`, { path: { number: 'TRV0' } });
      }
    });

    test('of paying', async () => {
      const [first, second] = [await place(), await place()];
      const body = {
        amount: '94.00',
        currency: 'USD',
        orderReference: first.number,
        payer: 'guest',
      };
      expect((await call('post', '/api/payment/create', { body })).status).toBe(200);
      await call('post', '/api/payment/create', { body: { ...body, amount: '1.00' } });
      await call('post', '/api/payment/create', { body: { amount: '94.00' } });
      const ask = { amount: '94.00', currency: 'USD', intent: 'CAPTURE' };
      const begun = await call('post', '/paypal/order', {
        body: { ...ask, orderReference: second.number },
      });
      const id: string = begun.answer.id;
      await call('get', '/paypal/order/{id}', { path: { id } });
      await call('get', '/paypal/order/{id}', { path: { id: '0'.repeat(17) } });
      await approve(needed(simulatedPaypal(platform)), id);
      await call('post', '/paypal/order/{id}/capture', { path: { id } });
      await call('get', '/paypal/setup');
      await call('get', '/api/check-live-paypal');
    });

    test('of documents', async () => {
      for (const [kind, base] of [
        ['visa', '/api/applications'],
        ['insurance', '/api/insurance/applications'],
      ] as const) {
        const { number, id } = await paid({ kind });
        const segment = kind === 'visa' ? 'applications' : 'insurance-applications';
        const open = (dateOfBirth: string) =>
          call('post', `${base}/{number}/document`, { path: { number }, body: { dateOfBirth } });
        expect((await open('1984-05-02')).answer.code).toBe('no_document');
        await call('post', `/api/admin/${segment}/{id}/approve`, {
          path: { id },
          cookie: reviewer.cookie,
          body: { documentUrl: dataUrl(goodPdf(), 'application/pdf') },
        });
        expect((await open('1984-05-03')).answer.code).toBe('date_of_birth_differs');
        expect((await open('1984-05-02')).status).toBe(200);
      }
    });

    test('of a correction, which changes what was asked and nothing else', async () => {
      const stored = await paid();
      const linkOf = async (fields: string[]) => {
        await askCorrection(platform, reviewer, {
          applicationId: stored.id,
          fields,
          note: 'Check.',
        });
        const [correction] = await applicationCorrections(db, stored.id);
        return correctionAddress(platform, needed(correction), stored);
      };
      const link = await linkOf(['passportNumber', 'dateOfBirth']);
      const correct = (body: object, number = stored.number) =>
        call('post', '/api/applications/{number}/correction', { path: { number }, body });
      expect((await correct({ passportNumber: 'B7' })).answer.errors).toEqual({ link: 'required' });
      const long = { link: 'x'.repeat(2001) };
      expect((await correct(long)).answer.errors).toEqual({ link: 'too_long' });
      expect((await correct({ link, passportNumber: 'B7' }, 'TRV0')).status).toBe(410);
      expect((await correct({ link })).answer.code).toBe('nothing_changed');
      const wrong = { link, passportNumber: ['B7'], dateOfBirth: '20.01.1990' };
      expect((await correct(wrong)).answer.errors).toEqual({
        passportNumber: 'not_text',
        dateOfBirth: 'date_invalid',
      });
      const body = { link, passportNumber: 'B76543210', lastName: 'Other' };
      expect(await correct(body)).toMatchObject({ status: 200 });
      expect((await correct(body)).answer.code).toBe('correction_over');
      expect(await readVisaDetails(db, platform.sealer, stored.id)).toMatchObject({
        passportNumber: 'B76543210',
      });
      expect(await applicationByNumber(db, stored.number)).toMatchObject({
        lastName: stored.lastName,
        dateOfBirth: stored.dateOfBirth,
      });
    });

    test('of an insurance’s correction', async () => {
      const placed = await makeInsurance(platform, { dateOfBirth: '2012-02-29' });
      const { number, id } = placed;
      await makePayment(platform, placed);
      await askCorrection(platform, reviewer, {
        applicationId: id,
        fields: ['phone'],
        note: 'Hm.',
      });
      const [correction] = await applicationCorrections(db, id);
      const stored = needed(await applicationByNumber(db, number));
      const link = correctionAddress(platform, needed(correction), stored);
      const body = { link, phone: '+52 55 1234 9999' };
      const path = '/api/insurance/applications/{number}/correction';
      expect(await call('post', path, { path: { number }, body })).toMatchObject({ status: 200 });
      expect(await applicationByNumber(db, number)).toMatchObject({ phone: '+525512349999' });
    });

    test('of cancelling: what was quoted is refunded once, to its payer alone', async () => {
      const { number, orderNumber } = await paid();
      const path = { number };
      const quote = await call('get', '/api/orders/{number}/cancellation', { path });
      expect(quote.answer).toMatchObject({
        refundAmount: '25.00',
        applications: [{ applicationNumber: number }],
      });
      // Another application is not quoted as this one.
      const other = await call('get', '/api/orders/{number}/cancellation', {
        path,
        query: '?applications=TRV0',
      });
      expect(other.answer.code).toBe('not_cancellable');
      const body = { id: randomUUID(), applications: [number], refundAmount: '25.00' };
      const cancel = (changes = {}, cookie = payer) =>
        call('post', '/api/orders/{number}/cancellation', {
          path,
          body: { ...body, ...changes },
          cookie,
        });
      expect((await cancel({}, newBrowser(platform).cookie)).answer.code).toBe('not_payer');
      expect((await cancel({ refundAmount: '94.00' })).answer).toMatchObject({
        code: 'refund_differs',
        refundAmount: '25.00',
      });
      expect((await cancel({ applications: ['TRV0'] })).answer.code).toBe('not_cancellable');
      expect((await cancel({ refundAmount: 'all' })).answer.errors).toEqual({
        refundAmount: 'not_an_amount',
      });
      for (const sent of [await cancel(), await cancel()]) {
        expect(sent).toMatchObject({ status: 200, answer: { id: body.id, refundAmount: '25.00' } });
      }
      expect((await cancel({ id: randomUUID() })).answer.code).toBe('not_cancellable');
      const order = needed(await orderByNumber(db, orderNumber));
      expect(await refundsByOrder(db, order.id)).toHaveLength(1);
      const after = await call('get', '/api/orders/{number}/cancellation', { path });
      expect(after.answer.notCancellable).toEqual([
        { applicationNumber: number, reason: expect.any(String) },
      ]);
      await call('get', '/api/orders/{number}/cancellation', {
        path: { number: (await place()).number },
      });
    });
  });

  describe('answers to staff are as they are described', () => {
    const asStaff = { cookie: reviewer.cookie };

    test.each(['applications', 'insurance-applications'] as const)('about %s', async (segment) => {
      const kind = segment === 'applications' ? 'visa' : 'insurance';
      const base = `/api/admin/${segment}`;
      const make = async () => ({ id: (await paid({ kind })).id });
      const path = await make();
      await call('get', base, asStaff);
      await call('get', base, { ...asStaff, query: '?status=nonsense' });
      await call('get', base, { cookie: '' });
      await call('post', `${base}/search`, { ...asStaff, body: { search: 'Naidoo' } });
      await call('post', `${base}/{id}/claim`, { ...asStaff, path });
      await call('patch', `${base}/{id}/status`, {
        ...asStaff,
        path,
        body: { status: 'processing' },
      });
      await call('post', `${base}/{id}/approve`, { ...asStaff, path, body: {} });
      await call('post', `${base}/{id}/approve`, { ...asStaff, path: await make(), body: {} });
      await call('post', `${base}/{id}/reject`, {
        ...asStaff,
        path,
        body: { reasonCode: 'duplicate' },
      });
      const documentUrl = dataUrl(goodPdf(), 'application/pdf');
      await call('post', `${base}/{id}/document`, { ...asStaff, path, body: { documentUrl } });
      const rejected = await make();
      await call('post', `${base}/{id}/reject`, { ...asStaff, path: rejected, body: {} });
      await call('post', `${base}/{id}/reject`, {
        ...asStaff,
        path: rejected,
        body: { reason: 'Two applications' },
      });
    });

    test('about figures, files and refunds', async () => {
      await call('get', '/api/admin/stats', { cookie: manager.cookie });
      const pdf = { ...asStaff, headers: { 'content-type': 'application/pdf' } };
      await call('post', '/api/admin/files', { ...pdf, body: new Uint8Array(goodPdf()) });
      await call('post', '/api/admin/files', { ...pdf, body: new Uint8Array(10) });
      const order = (number: string) => ({ ...asStaff, path: { number } });
      const { orderNumber } = await paid();
      const proposal = '/api/admin/orders/{number}/refund-proposal';
      await call('post', proposal, { ...order(orderNumber), body: { cause: 'cancelled' } });
      await call('post', proposal, { ...order(orderNumber), body: {} });
      const held = async () => {
        const { orderNumber: number } = await paid();
        const opened = await call('post', '/api/admin/orders/{number}/refunds', {
          ...order(number),
          body: { cause: 'duplicate_payment', id: randomUUID() },
        });
        return { path: { id: opened.answer.id as string } };
      };
      const [first, second] = [await held(), await held()];
      await call('post', '/api/admin/refunds/{id}/release', { ...first, ...asStaff });
      await call('post', '/api/admin/refunds/{id}/release', { ...first, cookie: manager.cookie });
      await call('post', '/api/admin/refunds/{id}/withdraw', { ...second, ...asStaff });
    });
  });
});

const description = describeApi('https://lale.example', {
  reader: 'staff',
  staffCookie: 'lale_staff',
});
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

describe('the description of the calls', () => {
  test('is a valid OpenAPI document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('refers to nothing that is missing, and lists no schema that nothing refers to', () => {
    const text = JSON.stringify(description);
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(named)].toSorted()).toEqual(
      Object.keys(description.components.schemas).toSorted(),
    );
    expect(text).not.toContain('$defs');
  });

  test('names each operation once, each of its path parameters, and who may call it', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const named = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(named, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(operation.security, path).toEqual(
        path.startsWith('/api/admin/') ? [{ staff: [] }] : [],
      );
    }
  });

  test('has a schema for every answer and body, and a line for a shell', () => {
    for (const { path, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(JSON.stringify(response), `${path} ${status}`).toContain('"schema"');
      }
      expect(operation['x-codeSamples'][0]?.source, path).toMatch(/^curl /);
    }
  });

  test('has examples that its own schemas accept', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...description });
    for (const [path, methods] of Object.entries(calls)) {
      for (const [method, call] of Object.entries(methods)) {
        if (!call.body) continue;
        const body = description.paths[path]?.[method]?.requestBody?.content['application/json'];
        const pointer = `doc#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/requestBody/content/application~1json/schema`;
        const check = ajv.compile({ $ref: pointer });
        expect(check(call.example) || check.errors, path).toBe(true);
        expect(body).toMatchObject({ example: call.example });
      }
    }
  });

  test('lists the codes of fields', () => {
    expect(fieldCodes()).toEqual(
      expect.arrayContaining(['date_invalid', 'differs', 'too_slow', 'six_months', 'visa_free']),
    );
  });
});
