import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { changeAttempt } from '~/features/payment/store.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { deskApi } from './api.server.ts';
import { goodPdf, storeCase, storeStaff } from './testing/case-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';

const platform = await makeTestPlatform();
const app = deskApi(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });

const record = z.record(z.string(), z.unknown());
const list = z.array(record);

async function call(method: string, path: string, body?: unknown, cookie = aydin.cookie) {
  const response = await app.request(`/api/admin${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, json };
}

const answerOf = async (...args: Parameters<typeof call>) => {
  const { status, json } = await call(...args);
  return { status, ...record.parse(json) };
};

const dataUrl = (bytes: Buffer) => `data:application/pdf;base64,${bytes.toString('base64')}`;

async function uploadForm(bytes: Uint8Array<ArrayBuffer>, cookie = aydin.cookie) {
  const form = new FormData();
  form.set('file', new File([bytes], 'visa.pdf'));
  const response = await app.request('/api/admin/files', {
    method: 'POST',
    headers: { cookie },
    body: form,
  });
  return record.parse({ ...record.parse(await response.json()), code: response.status });
}

describe('without a session', () => {
  test.each([
    ['GET', '/applications'],
    ['GET', '/insurance-applications'],
    ['GET', '/stats'],
    ['POST', '/files'],
    ['POST', '/applications/x/approve'],
    ['POST', '/applications/x/reject'],
    ['POST', '/insurance-applications/x/approve'],
    ['PATCH', '/applications/x/status'],
    ['PATCH', '/insurance-applications/x/status'],
    ['GET', '/anything-else'],
  ])('%s %s answers 401', async (method, path) => {
    for (const cookie of ['', 'lale_staff=guessed', 'lale_staff=']) {
      const { status, json, headers } = await call(method, path, undefined, cookie);
      expect({ status, json }).toMatchObject({ status: 401, json: { code: 'signed_out' } });
      expect(headers.get('content-type')).toBe('application/problem+json');
    }
  });
});

describe('lists', () => {
  test('answer the fields of the specification, numbers masked, and leave a trace', async () => {
    const { number, id } = await storeCase(platform, {
      firstName: 'Sofía',
      lastName: 'Hernández Ruiz',
      email: 'sofia@example.org',
      supportingDocumentNumber: 'S9988776',
    });
    const { json, headers } = await call('POST', '/applications/search', { search: number });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(list.parse(json)).toHaveLength(1);
    expect(list.parse(json)[0]).toMatchObject({
      id,
      applicationNumber: number,
      firstName: 'Sofía',
      status: 'pending',
      paymentStatus: 'completed',
      transactionId: expect.stringMatching(/./),
      passportNumber: 'A0•••••47',
      supportingDocumentNumber: 'S9••••76',
      totalAmount: '94.00',
      arrivalDate: '2026-12-12',
      countryOfOrigin: 'South Africa',
    });
    const trail = await auditEntriesOf(platform.db, { kind: 'queue', id: 'visa' });
    expect(trail.at(-1)).toMatchObject({ staffId: aydin.id, detail: { searched: true } });
    expect(JSON.stringify(trail)).not.toContain('Sof');
  });

  test.each(['sofia', 'HERNANDEZ', 'ruiz sofía', 'Hernández Ruiz, Sofía', 'sofia@example', 'ruiz'])(
    'find by %j',
    async (search) => {
      const { json } = await call('POST', '/applications/search', { search });
      expect(list.parse(json).map(({ lastName }) => lastName)).toContain('Hernández Ruiz');
    },
  );

  test('find a number written with spaces, hyphens and the wrong zero', async () => {
    const { number } = await storeCase(platform);
    const written = `${number.slice(0, 3)} ${number.slice(3, 7)}-${number.slice(7)}`
      .toLowerCase()
      .replaceAll('0', 'o');
    const { json } = await call('POST', '/applications/search', { search: written });
    expect(list.parse(json).map(({ applicationNumber }) => applicationNumber)).toEqual([number]);
  });

  test.each(['%', '_', '\\', "'; drop table application; --", 'nobody'])(
    '%j finds nothing and breaks nothing',
    async (search) => {
      const { status, json } = await call('POST', '/applications/search', { search });
      expect([status, json]).toEqual([200, []]);
    },
  );

  test('insurance has its own', async () => {
    const { id } = await storeCase(platform, { kind: 'insurance', service: '7' });
    const { json } = await call('GET', '/insurance-applications');
    expect(list.parse(json)).toMatchObject([{ id, travelDate: '2026-12-12', productId: '7' }]);
  });
});

describe('decisions', () => {
  test('approve by number with an uploaded file', async () => {
    const { number } = await storeCase(platform);
    const { id: documentUrl } = await uploadForm(new Uint8Array(goodPdf()));
    const path = `/applications/${number.toLowerCase()}/approve`;
    expect(await answerOf('POST', path, { documentUrl })).toMatchObject({
      status: 'approved',
      applicationNumber: number,
    });
  });

  test('approve by id without a body, with an empty one, and with a data-URL', async () => {
    for (const body of [
      undefined,
      {},
      { documentUrl: dataUrl(goodPdf()) },
      { documentUrl: null },
    ]) {
      const { id } = await storeCase(platform);
      const { status } = await call('POST', `/applications/${id}/approve`, body);
      expect(status).toBe(200);
    }
  });

  test('an insurance application is approved under its own path only', async () => {
    const { id } = await storeCase(platform, { kind: 'insurance' });
    expect((await call('POST', `/applications/${id}/approve`, {})).status).toBe(404);
    expect((await call('POST', `/insurance-applications/${id}/approve`, {})).status).toBe(200);
  });

  test('reject with a reason', async () => {
    const { id } = await storeCase(platform);
    const rejected = await answerOf('POST', `/applications/${id}/reject`, { reason: 'No' });
    expect(rejected).toMatchObject({
      status: 'rejected',
      rejectionReason: 'No',
      rejectionCode: 'other',
    });
  });

  test.each([
    ['POST', 'reject', {}],
    ['PATCH', 'status', { status: 'rejected' }],
  ])('reject by %s %s with a reason from the list, with words or without', async (...call) => {
    const [method, path, more] = call;
    const reject = async (body: object) =>
      answerOf(method, `/applications/${(await storeCase(platform)).id}/${path}`, {
        ...more,
        ...body,
      });
    expect(await reject({ reasonCode: 'duplicate' })).toMatchObject({
      rejectionCode: 'duplicate',
      rejectionReason: null,
    });
    expect(await reject({ reasonCode: 'duplicate', reason: ' See TRV… ' })).toMatchObject({
      rejectionCode: 'duplicate',
      rejectionReason: 'See TRV…',
    });
  });

  test.each([
    ['POST', 'reject', {}],
    ['POST', 'reject', { reason: '  ' }],
    ['POST', 'reject', { reason: 'x'.repeat(1001) }],
    ['POST', 'reject', { reasonCode: 'other' }],
    ['POST', 'reject', { reasonCode: 'because', reason: 'No' }],
    ['POST', 'reject', { reasonCode: 'not_insurable' }],
    ['PATCH', 'status', { status: 'rejected', reasonCode: 'other' }],
    ['PATCH', 'status', { status: 'rejected' }],
    ['PATCH', 'status', { status: 'rejected', reason: ' ' }],
    ['PATCH', 'status', { status: 'pending' }],
    ['PATCH', 'status', { status: 'cancelled' }],
    ['PATCH', 'status', {}],
    ['POST', 'approve', { documentUrl: 'https://example.org/visa.pdf' }],
    ['POST', 'approve', { documentUrl: 'data:text/html;base64,PGgxPg==' }],
    ['POST', 'approve', { documentUrl: 'data:application/pdf;base64,PGgxPg==' }],
    ['POST', 'approve', { documentUrl: 7 }],
    ['POST', 'approve', []],
  ])('%s %s %j answers 422 with field errors and changes nothing', async (method, path, body) => {
    const { id, number } = await storeCase(platform);
    const { status, json } = await call(method, `/applications/${id}/${path}`, body);
    expect({ status, json }).toMatchObject({ status: 422, json: { code: 'invalid' } });
    expect(record.parse(json).errors).toBeTypeOf('object');
    const after = await call('POST', '/applications/search', { search: number });
    expect(list.parse(after.json)[0]?.status).toBe('pending');
  });

  test('PATCH moves to processing, approved and rejected, for both kinds', async () => {
    for (const [segment, kind] of [
      ['applications', 'visa'],
      ['insurance-applications', 'insurance'],
    ] as const) {
      const first = await storeCase(platform, { kind });
      const second = await storeCase(platform, { kind });
      const patch = (id: string, body: object) =>
        answerOf('PATCH', `/${segment}/${id}/status`, body);
      expect(await patch(first.id, { status: 'processing' })).toMatchObject({
        status: 'processing',
      });
      const pdfAttachment = dataUrl(goodPdf());
      expect(await patch(first.id, { status: 'approved', pdfAttachment })).toMatchObject({
        status: 'approved',
      });
      expect(await patch(second.id, { status: 'rejected', reason: 'No' })).toMatchObject({
        status: 'rejected',
      });
    }
  });

  test('409 says who was first', async () => {
    const { id } = await storeCase(platform);
    await call('POST', `/applications/${id}/approve`, {});
    const { status, json } = await call('POST', `/applications/${id}/reject`, { reason: 'No' });
    expect({ status, json }).toMatchObject({
      status: 409,
      json: { code: 'stale', applicationStatus: 'approved', decidedBy: 'E. Aydın' },
    });
  });

  test('409 for an unpaid application', async () => {
    const { id } = await storeCase(platform, { paid: false });
    const { status, json } = await call('POST', `/applications/${id}/approve`, {});
    expect({ status, json }).toMatchObject({ status: 409, json: { code: 'unpaid' } });
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'TRV000000000000T', 'x', '%00'])(
    '404 for %s',
    async (id) => {
      expect((await call('POST', `/applications/${id}/approve`, {})).status).toBe(404);
      expect(
        (await call('PATCH', `/applications/${id}/status`, { status: 'processing' })).status,
      ).toBe(404);
    },
  );

  test('400 for what is no JSON', async () => {
    const { id } = await storeCase(platform);
    const response = await app.request(`/api/admin/applications/${id}/reject`, {
      method: 'POST',
      headers: { cookie: aydin.cookie },
      body: '{reason:',
    });
    expect(response.status).toBe(400);
  });

  test('twenty people at once: one 200, nineteen 409', async () => {
    const { id } = await storeCase(platform);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2
          ? call('POST', `/applications/${id}/approve`, {})
          : call('PATCH', `/applications/${id}/status`, { status: 'rejected', reason: 'No' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });
});

describe('documents', () => {
  test('a wrong file is told, in both ways of sending', async () => {
    const html = new Uint8Array(Buffer.from('<html>'));
    expect(await uploadForm(html)).toMatchObject({ code: 422, errors: { file: 'wrong_type' } });
    const raw = await app.request('/api/admin/files', {
      method: 'POST',
      headers: { cookie: aydin.cookie, 'content-type': 'application/pdf' },
      body: new Uint8Array(6 * 1024 * 1024),
    });
    expect(await raw.json()).toMatchObject({ status: 422, errors: { file: 'too_large' } });
  });

  test('after approval a document is attached once by a reviewer, replaced by a manager', async () => {
    const { id } = await storeCase(platform);
    const manager = await storeStaff(platform, { role: 'manager' });
    const path = `/applications/${id}/document`;
    const body = { documentUrl: dataUrl(goodPdf()) };
    expect((await call('POST', path, body)).status).toBe(409);
    await call('POST', `/applications/${id}/approve`, {});
    expect((await call('POST', path, body)).status).toBe(200);
    expect((await call('POST', path, body)).status).toBe(403);
    expect((await call('POST', path, body, manager.cookie)).status).toBe(200);
  });
});

describe('statistics', () => {
  test('count applications, pending ones, and revenue minus refunds', async () => {
    const before = await answerOf('GET', '/stats');
    await storeCase(platform, { paid: false });
    const { number } = await storeCase(platform);
    await storeCase(platform, { kind: 'insurance' });
    const order = await orderByNumber(platform.db, number);
    await platform.db.transaction((tx) =>
      changeAttempt(
        tx,
        { id: order?.paidBy ?? '', from: 'completed' },
        { state: 'partially_refunded', refundedMinor: 20_00, claimedMinor: 20_00 },
      ),
    );
    const after = await answerOf('GET', '/stats');
    const grown = (field: string) => Number(after[field as never]) - Number(before[field as never]);
    expect(grown('totalApplications')).toBe(2);
    expect(grown('totalInsuranceApplications')).toBe(1);
    expect(grown('pendingApplications')).toBe(3);
    expect(grown('totalRevenue')).toBeCloseTo(94 + 94 - 20, 2);
    expect(after).toMatchObject({ totalRevenue: expect.stringMatching(/^\d+\.\d\d$/) });
  });
});
