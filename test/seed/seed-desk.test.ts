import { beforeAll, expect, test } from 'vitest';
import { storeStaff } from '../../src/features/desk/application/testing/case-store.server.ts';
import { firstDayOfAuditTrail } from '../../src/features/staff/accounts/jobs.server.ts';
import { verifyTrail } from '../../src/features/staff/audit/audit-seal.server.ts';
import { makeChance, makeRandom } from '../crash/random.ts';
import { makeTestApp } from '../pages.ts';
import { startTestService } from '../service.ts';
import { seedDesk, type SeedOptions } from './seed-desk.ts';
import { makeTravellers } from './purchases.ts';

const now = new Date('2026-11-23T10:00:00Z');
const service = await startTestService({ now });
const { platform, payments } = service;
const app = makeTestApp(platform, payments);

const seed = (given: Partial<SeedOptions> = {}) =>
  seedDesk(service, {
    applications: 76,
    seed: 1,
    now,
    setClock: platform.clock.set,
    add: false,
    password: 'correct horse battery',
    ...given,
  });

/** The distinct values of one column. */
async function distinct(table: string, column: string): Promise<unknown[]> {
  const { rows } = await platform.pool.query(
    `select distinct ${column} as value from ${table} order by value`,
  );
  return rows.map(({ value }: { value: unknown }) => value);
}
const count = async (from: string): Promise<number> =>
  Number((await platform.pool.query(`select count(*) from ${from}`)).rows[0]?.count);
const verify = () => verifyTrail(platform, firstDayOfAuditTrail(platform.now()));

beforeAll(async () => {
  expect(await seed()).toMatchObject({ ok: true });
}, 300_000);

test('applications are in every state, and there are events of every kind', async () => {
  expect(await count('application')).toBeGreaterThanOrEqual(75);
  const states = `kind || ' ' || status || case when action_required then ' waits' else '' end ||
    case when paid_at is null then ' unpaid' else '' end`;
  expect(await distinct('application', states)).toEqual([
    'insurance approved',
    'insurance pending',
    'insurance pending unpaid',
    'insurance pending waits',
    'insurance rejected',
    'visa approved',
    'visa pending',
    'visa pending unpaid',
    'visa pending waits',
    'visa processing',
    'visa rejected',
  ]);
  expect(await distinct('application_event', 'kind')).toEqual([
    'approved',
    'correction_answered',
    'correction_asked',
    'correction_expired',
    'correction_withdrawn',
    'document_attached',
    'paid',
    'processing',
    'rejected',
    'submitted',
  ]);
  expect(await count(`application where promised_at < '${now.toISOString()}'`)).toBeGreaterThan(0);
  expect(await count("purchase_order where number like 'TRG%'")).toBeGreaterThan(0);
  expect(await count('application where traveller_position > 1')).toBeGreaterThan(0);
});

test('orders are paid, unpaid, failed and given back, by every partner, and the books agree', async () => {
  expect(await distinct('payment_attempt', 'provider')).toEqual(['card', 'paypal', 'stripe']);
  expect(await distinct('payment_attempt', 'state')).toEqual(
    expect.arrayContaining([
      'cancelled',
      'completed',
      'failed',
      'partially_refunded',
      'pending',
      'refunded',
    ]),
  );
  expect(await distinct('payment_refund', 'state')).toEqual([
    'completed',
    'failed',
    'held',
    'pending',
    'withdrawn',
  ]);
  expect(await distinct('payment_alert', 'kind')).toEqual(['paid_twice', 'refund_failed']);
  expect(await count('reconciliation')).toBeGreaterThan(80);
  expect(await count('reconciliation where differing > 0')).toBe(0);
});

test('e-mails left, jobs are done, and staff of every role wrote notes', async () => {
  // An order paid before the job ran gets no email about its open payment.
  expect(await count("email where sent_at is null and failure is distinct from 'over'")).toBe(0);
  const listed = 'application_email join email on email.id = email_id';
  expect(await count(`${listed} where sent_at is null`)).toBe(0);
  expect(await count('email where resent_from is not null')).toBeGreaterThan(0);
  expect(await count('graphile_worker.jobs where last_error is not null')).toBe(0);
  expect(await distinct('staff_account', 'role')).toEqual(['administrator', 'manager', 'reviewer']);
  expect(await count('staff_account where not active')).toBe(1);
  expect(await count('staff_invitation')).toBeGreaterThan(0);
  expect(await count('desk_note where struck_at is not null')).toBeGreaterThan(0);
  expect(await count('desk_dismissal')).toBeGreaterThan(0);
});

test('the audit trail of ninety days is sealed and holds, also after more was added', async () => {
  expect(await verify()).toMatchObject({ findings: [] });
  expect((await verify()).days).toBeGreaterThan(85);
  expect(await seed()).toEqual({ ok: false, error: 'applications' });
  const before = await count('application');
  expect(await seed({ add: true, seed: 2, applications: 12 })).toMatchObject({ ok: true });
  expect(await count('application')).toBeGreaterThanOrEqual(before + 11);
  expect(await verify()).toMatchObject({ findings: [] });
}, 120_000);

test('the desk lists it all', async () => {
  const { cookie } = await storeStaff(platform, { role: 'administrator' });
  const page = async (path: string) => {
    const answer = await app.request(path, { headers: { cookie } });
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  const numbersIn = (html: string) => new Set(html.match(/TR[VI][0-9A-Z]{13}/g)).size;
  expect(numbersIn(await page('/admin'))).toBeGreaterThan(20);
  expect(numbersIn(await page('/admin?kind=insurance'))).toBeGreaterThan(10);
  for (const status of ['pending', 'processing', 'approved', 'rejected']) {
    expect(numbersIn(await page(`/admin?status=${status}`)), status).toBeGreaterThan(0);
  }
  for (const list of ['hand_in', 'at_authority', 'to_deliver']) {
    expect(numbersIn(await page(`/admin?show=${list}`)), list).toBeGreaterThan(0);
  }
  expect(numbersIn(await page('/admin/payments'))).toBeGreaterThan(20);
  expect(numbersIn(await page('/admin/refunds'))).toBeGreaterThan(0);
});

test('nothing gets into live mode', async () => {
  const config = { ...platform.config, mode: 'live' as const };
  const live = { ...service, platform: { ...platform, config } };
  const before = await count('application');
  const wanted = { applications: 60, seed: 1, now, add: true, password: 'x' };
  expect(await seedDesk(live, { ...wanted, setClock: platform.clock.set })).toEqual({
    ok: false,
    error: 'live',
  });
  expect(await count('application')).toBe(before);
});

test('one seed makes the same travellers, another one others', () => {
  const some = (number: number) => {
    const traveller = makeTravellers(makeChance(makeRandom(number)), 1);
    return Array.from({ length: 20 }, () => traveller(now));
  };
  expect(some(1)).toEqual(some(1));
  expect(some(2)).not.toEqual(some(1));
});
