import { beforeEach, expect, test } from 'vitest';
import { eventsOf, applicationById } from '../src/features/application/store.server.ts';
import { decide } from '../src/features/desk/application/decide.server.ts';
import { draft } from '../src/features/desk/application/draft.server.ts';
import { nextNumber } from '../src/features/desk/application/testing/next-number.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { SEND_JOB } from '~/features/email/ledger/store.server.ts';
import { insuranceJobs } from '../src/features/insurance/certificate/certificate-job.server.ts';
import { closeOrder, orderByNumber } from '../src/features/order/store.server.ts';
import { attemptsFor } from '../src/features/payment/settlement/store.server.ts';
import { whenPaid } from '../src/app/composition/payments.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform, type TestPlatform } from './platform.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { makeApplication, makeInsurance } from './make.ts';
import { needed } from './needed.ts';

let platform: TestPlatform;
let db: TestPlatform['db'];
let app: ReturnType<typeof makeTestApp>;
// Each has a queue of its own.
beforeEach(async () => {
  platform = await makeTestPlatform();
  db = platform.db;
  app = makeTestApp(platform);
});

/** Captures an attempt; `whenPaid` is all that the payment causes. */
async function arrive(number: string): Promise<void> {
  const at = platform.now();
  let [attempt] = await attemptsFor(db, number);
  if (!attempt) {
    await db.transaction((tx) => storeAttempt(tx, { number, amountMinor: 189_00 }, at));
    [attempt] = await attemptsFor(db, number);
  }
  const { id: attemptId } = needed(attempt);
  const settled = { reference: number, attemptId, at };
  await db.transaction((tx) => whenPaid(platform.config)(tx, settled));
}

const close = (number: string) => db.transaction((tx) => closeOrder(tx, number, platform.now()));
const kindsOf = async (id: string) => (await eventsOf(db, id)).map(({ kind }) => kind);
const status = async (number: string) => (await app.request(`/en/status?ref=${number}`)).text();

test('money for a closed visa makes its order paid, promises nothing and asks nobody to work on it', async () => {
  const visa = await makeApplication(platform, { paid: false });
  await close(visa.number);
  await arrive(visa.number);
  expect((await orderByNumber(db, visa.number))?.paidAt).toEqual(platform.now());
  expect(await applicationById(db, visa.id)).toMatchObject({ paidAt: null, promisedAt: null });
  expect(await kindsOf(visa.id)).not.toContain('paid');
  const reviewer = await storeStaff(platform);
  expect(await nextNumber(platform, reviewer)).toBe('nothing');
  const html = await status(visa.number);
  expect(html).toContain('This order is closed');
  expect(html).toContain('Your payment arrived after we had closed this order');
  expect(html).not.toContain('Nothing was charged');
  expect(html).not.toContain('Ready by');
  expect(html).not.toContain('Under Review');
});

test('money for a closed visa lets nobody approve it, neither by a call nor by a draft', async () => {
  const visa = await makeApplication(platform, { paid: false });
  await close(visa.number);
  await arrive(visa.number);
  const found = needed(await applicationById(db, visa.id));
  const reviewer = await storeStaff(platform);
  const refusal = { ok: false, error: { code: 'unpaid' } };
  expect(await decide(platform, reviewer, { kind: 'approve', applicationId: visa.id })).toEqual(
    refusal,
  );
  expect(await draft(platform, reviewer, found, { kind: 'approve' })).toEqual(refusal);
});

test('money for a closed insurance issues no certificate', async () => {
  const insurance = await makeInsurance(platform);
  await close(insurance.number);
  await arrive(insurance.number);
  await platform.runJobs({
    ...insuranceJobs(platform),
    [SEND_JOB]: async () => undefined,
  });
  expect(await applicationById(db, insurance.id)).toMatchObject({
    paidAt: null,
    status: 'pending',
  });
  expect(await kindsOf(insurance.id)).toEqual(['submitted']);
});

test('money for an order that is open promises a moment, counted from the payment', async () => {
  const visa = await makeApplication(platform, { paid: false });
  platform.clock.advance(3600_000);
  await arrive(visa.number);
  const stored = await applicationById(db, visa.id);
  expect(stored?.paidAt).toEqual(platform.now());
  expect(stored?.promisedAt).not.toBeNull();
  expect(await status(visa.number)).toContain('we’ll deliver your e-visa by');
});
