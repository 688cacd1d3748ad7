import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { changeAttempt } from '~/features/payment/settlement/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { deskCalls, list } from '../application/testing/desk-calls.ts';
import { insuranceApplicationAnswer, visaApplicationAnswer } from './answer-shapes.ts';
import { makeApplication } from '../../../../test/make.ts';

const { answerOf, aydin, call, platform } = await deskCalls();

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
  let sofia: Awaited<ReturnType<typeof makeApplication>>;
  beforeAll(async () => {
    sofia = await makeApplication(platform, {
      firstName: 'Sofía',
      lastName: 'Hernández Ruiz',
      email: 'sofia@example.org',
      supportingDocumentNumber: 'S9988776',
    });
  });

  test('answer the fields of the specification, numbers masked, and leave a trace', async () => {
    const { number, id } = sofia;
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
    const trail = await auditEntriesBySubject(platform.db, { kind: 'queue', id: 'visa' });
    expect(trail.at(-1)).toMatchObject({ staffId: aydin.id, detail: { searched: true } });
    expect(JSON.stringify(trail)).not.toContain('Sof');
  });

  test('answer what was read from the passport beside what was typed, numbers masked', async () => {
    const { number } = await makeApplication(platform, {
      firstName: 'Thandi',
      lastName: 'Nkosi',
      machineReadableZone: 'TD3|ZAF|ZAF|NKOSI|THANDIWE||A01234567|1984-05-02|',
    });
    const { json } = await call('POST', '/applications/search', { search: number });
    const [{ machineReadableZone }] = z.tuple([visaApplicationAnswer]).parse(json);
    expect(machineReadableZone).toEqual({
      areNamesCut: false,
      rows: [
        { field: 'lastName', typed: 'Nkosi', read: 'NKOSI', differs: false },
        { field: 'firstName', typed: 'Thandi', read: 'THANDIWE', differs: true },
        { field: 'passportNumber', typed: 'A0•••••47', read: 'A0•••••67', differs: true },
        { field: 'dateOfBirth', typed: '1984-05-02', read: '1984-05-02', differs: false },
        { field: 'passportExpiryDate', typed: '2033-01-10', read: '', differs: false },
        { field: 'countryId', typed: 'ZAF', read: 'ZAF', differs: false },
      ],
    });
    const all = await call('GET', '/applications');
    const typed = z.array(visaApplicationAnswer.strict()).parse(all.json);
    const others = typed.filter(({ applicationNumber }) => applicationNumber !== number);
    expect(new Set(others.map((one) => one.machineReadableZone))).toEqual(new Set([null]));
  });

  test.each(['sofia', 'HERNANDEZ', 'ruiz sofía', 'Hernández Ruiz, Sofía', 'sofia@example', 'ruiz'])(
    'find by %j',
    async (search) => {
      const { json } = await call('POST', '/applications/search', { search });
      expect(list.parse(json).map(({ lastName }) => lastName)).toContain('Hernández Ruiz');
    },
  );

  test('find a number written with spaces, hyphens and the wrong zero', async () => {
    const { number } = await makeApplication(platform);
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
    const { id } = await makeApplication(platform, { kind: 'insurance', service: '7-days' });
    const { json } = await call('GET', '/insurance-applications');
    const listed = list.parse(json);
    expect(listed.find((one) => one['id'] === id)).toMatchObject({
      travelDate: '2026-12-12',
      productId: '7-days',
    });
    expect(listed.map((one) => one['id'])).not.toContain(sofia.id);
    expect(z.array(insuranceApplicationAnswer.strict()).safeParse(json).error).toBeUndefined();
  });
});

describe('readQueueCounts', () => {
  test('count applications, pending ones, and revenue minus refunds', async () => {
    const before = await answerOf('GET', '/stats');
    await makeApplication(platform, { paid: false });
    const { number } = await makeApplication(platform);
    await makeApplication(platform, { kind: 'insurance' });
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
