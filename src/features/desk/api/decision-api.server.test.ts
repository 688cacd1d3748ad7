import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { email } from '~/features/email/ledger/tables.server.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { deskCalls, list, record } from '../application/testing/desk-calls.ts';
import { makeApplication } from '../../../../test/make.ts';

const { answerOf, app, aydin, call, platform } = await deskCalls();

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

describe('decisions', () => {
  test('approve by number with an uploaded file', async () => {
    const { number } = await makeApplication(platform);
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
      const { id } = await makeApplication(platform);
      const { status } = await call('POST', `/applications/${id}/approve`, body);
      expect(status).toBe(200);
    }
  });

  test('an insurance application is approved under its own path only', async () => {
    const { id } = await makeApplication(platform, { kind: 'insurance' });
    expect((await call('POST', `/applications/${id}/approve`, {})).status).toBe(404);
    expect((await call('POST', `/insurance-applications/${id}/approve`, {})).status).toBe(200);
  });

  test('reject with a reason', async () => {
    const { id } = await makeApplication(platform);
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
      answerOf(method, `/applications/${(await makeApplication(platform)).id}/${path}`, {
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
    const { id, number } = await makeApplication(platform);
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
      const first = await makeApplication(platform, { kind });
      const second = await makeApplication(platform, { kind });
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

  test('an insurance set to processing by the call gets no email about the authorities', async () => {
    const emailsAbout = (about: string) =>
      platform.db.select().from(email).where(eq(email.subject, about));
    const { id } = await makeApplication(platform, { kind: 'insurance' });
    const body = { status: 'processing' };
    const path = `/insurance-applications/${id}/status`;
    expect(await answerOf('PATCH', path, body)).toMatchObject(body);
    expect(await emailsAbout(id)).toEqual([]);
    const visa = await makeApplication(platform);
    await answerOf('PATCH', `/applications/${visa.id}/status`, body);
    expect(await emailsAbout(visa.id)).toMatchObject([{ kind: 'processing' }]);
  });

  test('409 says who was first', async () => {
    const { id } = await makeApplication(platform);
    await call('POST', `/applications/${id}/approve`, {});
    const { status, json } = await call('POST', `/applications/${id}/reject`, { reason: 'No' });
    expect({ status, json }).toMatchObject({
      status: 409,
      json: { code: 'stale', applicationStatus: 'approved', decidedBy: 'E. Aydın' },
    });
  });

  test('409 for an unpaid application', async () => {
    const { id } = await makeApplication(platform, { paid: false });
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
    const { id } = await makeApplication(platform);
    const response = await app.request(`/api/admin/applications/${id}/reject`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: aydin.cookie },
      body: '{reason:',
    });
    expect(response.status).toBe(400);
  });

  test('twenty people at once: one 200, nineteen 409', async () => {
    const { id } = await makeApplication(platform);
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
  test('a wrong file is reported, in both ways of sending', async () => {
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
    const { id } = await makeApplication(platform);
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
