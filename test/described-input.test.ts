import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, afterAll } from 'vitest';
import { generateSource } from 'oazapfts';
import { api } from '~/app/api.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { unsealCheckoutRedirect } from '~/features/payment/settlement/begin.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { completeAnswers, countries } from '~/features/visa/testing/sample-answers.ts';
import { describeApi } from '~/app/api/api-docs.server.tsx';
import { projectRoot } from '~/platform/config/root.server.ts';
import { makeOrder, makeApplication } from './make.ts';
import { makeTestApp } from './pages.ts';
import { startTestService } from './service.ts';
import { needed } from './needed.ts';
import { purchases } from './purchases.ts';

describe('described input', async () => {
  const { platform, payments } = await startTestService();
  await seedAll(platform.db, seeders, platform.now());
  const app = api(platform, payments);
  const { cookie: staff } = await storeStaff(platform, { role: 'manager' });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const answer = await response.json();
    return { status: response.status, answer, cookie, headers: response.headers };
  }

  const visa = {
    ...completeAnswers(countries.southAfrica),
    countryId: 'ZAF',
    totalAmount: '94.00',
  };

  describe('what a body holds', () => {
    test('and no call knows is named in the answer, and changes nothing', async () => {
      const { status, answer } = await call('POST', '/api/applications', {
        ...visa,
        purpse: 'trade',
      });
      expect(status).toBe(201);
      expect(answer.ignored).toContain('purpse');
      const wrong = await call('POST', '/api/applications', {
        ...visa,
        firstName: '',
        purpse: 'trade',
      });
      expect(wrong.answer).toMatchObject({ code: 'invalid', errors: { firstName: 'required' } });
      expect(wrong.answer.ignored).toContain('purpse');
      const order = await call('POST', '/api/orders', {
        applications: [{ ...visa, reference: 'row 1' }],
        totalAmount: '94.00',
      });
      expect(order.answer.ignored).toContain('applications[0].reference');
    });

    test('and is a list where a text is asked for is told from what is missing', async () => {
      const body = { ...visa, documentType: ['ordinary'], totalAmount: '94,00' };
      expect((await call('POST', '/api/applications', body)).answer).toMatchObject({
        errors: { documentType: 'not_text', totalAmount: 'not_an_amount' },
        messages: { documentType: 'This answer must be a text.' },
      });
    });

    test.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/xml'])(
      'of type %s is no JSON: 415',
      async (type) => {
        const headers = { 'content-type': type };
        expect(await call('POST', '/api/applications', {}, headers)).toMatchObject({
          status: 415,
          answer: { code: 'wrong_type' },
        });
      },
    );
  });

  describe('refusals', () => {
    test('speak the language of the call, field by field', async () => {
      const service = makeTestApp(platform, payments);
      const ask = (path: string, headers: Record<string, string>) =>
        service.request(path, { headers });
      const turkish = await ask('/api/applications/x', { 'accept-language': 'tr' });
      expect(await turkish.json()).toMatchObject({
        code: 'short_number',
        detail: 'Başvuru numarası en az 6 karakter olmalıdır',
      });
      expect(turkish.headers.get('content-language')).toBe('tr');
      const list = await ask('/api/admin/applications?status=nonsense', {
        'accept-language': 'tr',
        cookie: staff,
      });
      expect([list.status, await list.json()]).toMatchObject([
        422,
        {
          errors: { status: 'invalid_value' },
          messages: { status: expect.stringMatching(/izin verilen/) },
        },
      ]);
    });
  });

  describe('GET /api/prices', () => {
    test('answers speeds, amounts, ready-by times and arrivals that POST /api/applications takes', async () => {
      const { answer } = await call('GET', '/api/prices?countryId=ZAF');
      expect(answer.speeds).toMatchObject([
        { processingType: 'standard', totalAmount: '94.00' },
        { processingType: 'fast', totalAmount: '144.00' },
        { processingType: 'express', totalAmount: '244.00' },
        { processingType: 'urgent', totalAmount: '364.00' },
      ]);
      const [standard] = answer.speeds;
      const filed = await call('POST', '/api/applications', {
        ...visa,
        arrivalDate: standard.earliestArrival,
      });
      expect(filed.status).toBe(201);
      const before = new Date(Date.parse(standard.earliestArrival) - 86_400_000)
        .toISOString()
        .slice(0, 10);
      const early = await call('POST', '/api/applications', { ...visa, arrivalDate: before });
      expect(early.status).toBe(422);
    });

    test('has no speed where there is no e-visa, and refuses an unknown nationality', async () => {
      expect((await call('GET', '/api/prices?countryId=DEU')).answer).toMatchObject({
        regime: 'visa_free',
        speeds: [],
      });
      for (const query of ['?countryId=ATL', '']) {
        const { status, answer } = await call('GET', `/api/prices${query}`);
        expect([status, Object.keys(answer.errors)]).toEqual([422, ['countryId']]);
      }
    });
  });

  describe('POST /api/payment/create', () => {
    test('never drops a name or email that a later call brings', async () => {
      const made = await call('POST', '/api/applications', visa);
      const reference = made.answer.orderReference;
      const body = { amount: '94.00', orderReference: reference, payer: 'guest' };
      const first = await call('POST', '/api/payment/create', body);
      const named = { ...body, customerName: 'Ada Guest', customerEmail: 'ada@mail.example' };
      const second = await call('POST', '/api/payment/create', named, { cookie: first.cookie });
      const again = await call('POST', '/api/payment/create', named, { cookie: first.cookie });
      expect(again.answer.paymentId).toBe(second.answer.paymentId);
      const attempts = await attemptsByReference(platform.db, reference);
      const stored = attempts.find(({ id }) => id === second.answer.paymentId);
      if (!stored?.checkoutRedirect) throw new Error('Nothing was begun');
      expect(unsealCheckoutRedirect(platform, stored.id, stored.checkoutRedirect)).toMatchObject({
        fields: { customerName: 'Ada Guest', customerEmail: 'ada@mail.example' },
      });
      expect(attempts.filter(({ state }) => state === 'redirected').map(({ id }) => id)).toEqual([
        stored.id,
      ]);
    });

    test('with payer: "guest" begins a guest’s payment in the payer’s own session', async () => {
      const made = await call('POST', '/api/applications', visa);
      const body = { amount: '94.00', orderReference: made.answer.orderReference };
      await call(
        'POST',
        '/api/payment/create',
        { ...body, payer: 'guest' },
        { cookie: made.cookie },
      );
      const attempts = await attemptsByReference(platform.db, made.answer.orderReference);
      expect(attempts.map(({ begunBy }) => begunBy)).toEqual(['guest']);
    });

    test('by one traveller’s number tells nobody but the payer what the others cost', async () => {
      const family = await makeOrder(platform);
      const number = needed(family.visas[0]).number;
      const { answer } = await call('GET', `/api/applications/${number}`);
      expect(answer.orderReference).toBeNull();
      const body = { amount: '94.00', orderReference: number };
      const guest = await call('POST', '/api/payment/create', body);
      expect(guest).toMatchObject({ status: 404, answer: { code: 'order_of_several' } });
      expect(guest.answer).not.toHaveProperty('totalAmount');
      const payer = await call('POST', '/api/payment/create', body, { cookie: family.cookie });
      expect(payer).toMatchObject({ status: 409, answer: { totalAmount: family.totalAmount } });
    });
  });

  describe('the specified payloads of staff', () => {
    test('PATCH rejects an insurance with its status alone, for the reason `other`, and staff see it', async () => {
      const { id, number } = await makeApplication(platform, { kind: 'insurance' });
      const path = `/api/admin/insurance-applications/${id}/status`;
      expect(await call('PATCH', path, { status: 'rejected' }, { cookie: staff })).toMatchObject({
        status: 200,
        answer: { status: 'rejected', rejectionCode: 'other', rejectionReason: null },
      });
      const page = await makeTestApp(platform, payments).request(`/admin/applications/${number}`, {
        headers: { cookie: staff },
      });
      expect(await page.text()).toContain('The API call that rejected it gave no reason');
    });

    test('PATCH rejects no visa without a reason', async () => {
      const { id } = await makeApplication(platform);
      const path = `/api/admin/applications/${id}/status`;
      expect(await call('PATCH', path, { status: 'rejected' }, { cookie: staff })).toMatchObject({
        status: 422,
        answer: { errors: { reason: 'required' } },
      });
    });
  });

  describe('POST …/document', () => {
    test('says that there is no document yet', async () => {
      const { answer } = await call('POST', '/api/applications', visa);
      const path = `/api/applications/${answer.applicationNumber}/document`;
      expect(await call('POST', path, { dateOfBirth: '1990-05-17' })).toMatchObject({
        status: 409,
        answer: { code: 'no_document' },
      });
      expect((await call('POST', path, { dateOfBirth: '17.05.1990' })).answer).toMatchObject({
        code: 'invalid',
        errors: { dateOfBirth: 'invalid_format' },
      });
    });
  });
});

describe('api client', async () => {
  /** `buy-for-family.ts`, which has types only beside the generated client. */
  type BuyForFamily = (
    url: string,
    payAt: (paymentUrl: string) => Promise<void>,
  ) => Promise<{
    orderNumber: string;
    paymentStatus: string;
    travellers: { applications: { firstName: string }[] }[];
  }>;

  // Beside the sources, so that the runtime of the client is found.
  const folder = mkdtempSync(join(projectRoot, 'test', 'api-client', 'tmp-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const service = await startTestService();
  const { platform, url } = service;
  await seedAll(platform.db, seeders, platform.now());

  test('a client that is generated from the description type-checks, and buys for a family of four', async () => {
    const description = describeApi(url, { reader: 'everybody', staffCookie: 'lale_staff' });
    const spec = join(folder, 'openapi.json');
    writeFileSync(spec, JSON.stringify(description));
    const client = join(folder, 'lale.ts');
    writeFileSync(client, await generateSource(spec));
    const buyer = join(folder, 'buy-for-family.ts');
    copyFileSync(join(projectRoot, 'test', 'api-client', 'buy-for-family.ts'), buyer);

    const check = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
      '--target',
      'es2023',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
      '--lib',
      'es2023,dom',
      '--types',
      '',
    ];
    const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
    const types = await promisify(execFile)(tsc, [...check, client, buyer]).catch(
      (failed: { stdout: string; code: number }) => failed,
    );
    expect(types).toEqual({ stdout: '', stderr: '' });

    const { buyForFamily: buy }: { buyForFamily: BuyForFamily } = await import(buyer);
    const { pay, comeBack } = purchases(service);
    const order = await buy(url, async (paymentUrl) => {
      expect(paymentUrl).toContain('/gpay-checkout?data=');
      const sent = new URL(paymentUrl).searchParams.get('data') ?? '';
      const verified = platform.signer.verify(sent, 'checkoutRedirect', platform.now());
      if (!verified.ok) throw new Error(verified.reason);
      const { attemptId } = verified.payload as { attemptId: string };
      await comeBack(await pay(attemptId));
    });
    expect(order.paymentStatus).toBe('completed');
    expect(order.travellers.map(({ applications }) => applications[0]?.firstName)).toEqual([
      'Anna',
      'Bela',
      'Carl',
      'Dora',
    ]);
    const attempts = await attemptsByReference(platform.db, order.orderNumber);
    expect(attempts.map(({ begunBy, state }) => [begunBy, state])).toEqual([
      ['guest', 'completed'],
    ]);
  });
});
