import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import {
  addRefund,
  decideTransaction,
  type GatewayTransaction,
  transactions,
} from '~/lab/gateway/simulated-gateway.server.ts';
import { openAlerts } from '../settlement/store.server.ts';
import { paymentAlert } from '../tables.server.ts';
import { reconciliationJobs, reconcile } from './jobs.server.ts';
import { reportRows, reportsBetween } from './store.server.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform } = service;
const { db } = platform;
/** The card gateway alone, as each provider has a report of its own. */
const payments = { ...service.payments, providers: service.payments.providers.slice(0, 1) };
const { place, start, pay, comeBack, stateOf, expectPaidOnce } = purchases(service);

const DAY = 24 * 3600_000;
const dayOf = (moment: Date): PlainDate => needed(parseDate(moment.toISOString().slice(0, 10)));

/** Every test has a day of its own, and runs early on the next day. */
let day: PlainDate = dayOf(platform.now());
beforeEach(() => {
  platform.clock.advance(3 * DAY);
  day = dayOf(platform.now());
});

const run = async () => {
  platform.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) + DAY + 3600_000));
  return reconcile(platform, payments, day);
};
const rowOf = async (attemptId: string) =>
  needed(
    (
      await reportRows(
        db,
        { first: day, last: day },
        { differing: false, after: null, limit: 1000 },
      )
    ).find((row) => row.attemptId === attemptId),
  );
const alertsOf = async (attemptId: string) =>
  (await openAlerts(db)).filter((alert) => alert.attemptId === attemptId);

async function paid(): Promise<string> {
  const attempt = await start(await place());
  await comeBack(await pay(attempt));
  return attempt;
}

const atGateway = (attemptId: string, values: Partial<GatewayTransaction>) =>
  transactions.change(db, attemptId, values);

const refundByHand = (attemptId: string, minor: number) =>
  addRefund(db, { orderRef: attemptId, refundRef: 'by-hand', minor, capturedMinor: 94_00 });

describe('a day on which the books agree', () => {
  test('is reported with what was taken, and raises nothing', async () => {
    const attempts = [await paid(), await paid()];
    expect(await run()).toMatchObject([
      { provider: 'card', attempts: 2, unanswered: 0, differing: 0, capturedMinor: 188_00 },
    ]);
    expect((await reportsBetween(db, day, day))[0]?.finishedAt).not.toBeNull();
    for (const attempt of attempts) {
      expect(await rowOf(attempt)).toMatchObject({
        differences: [],
        ourCapturedMinor: 94_00,
        theirCapturedMinor: 94_00,
      });
      expect(await alertsOf(attempt)).toEqual([]);
    }
  });

  test('holds what moved on it, not what moved on its neighbours', async () => {
    const before = await paid();
    platform.clock.advance(DAY);
    day = dayOf(platform.now());
    const own = await paid();
    await run();
    expect((await rowOf(own)).capturedMinor).toBe(94_00);
    await expect(rowOf(before)).rejects.toThrow();
  });

  test('without payments is a whole report of nothing', async () => {
    expect(await run()).toMatchObject([
      { provider: 'card', unanswered: 0, differing: 0, capturedMinor: 0, refundedMinor: 0 },
    ]);
  });
});

describe('a difference', () => {
  test('is a capture that the provider does not have', async () => {
    const attempt = await paid();
    await transactions.takeOldest(db, { orderRef: attempt });
    expect(await run()).toMatchObject([{ differing: 1, unanswered: 0 }]);
    expect(await rowOf(attempt)).toMatchObject({
      differences: ['missing_there'],
      theirCapturedMinor: null,
    });
    expect(await alertsOf(attempt)).toMatchObject([
      { kind: 'books_missing_there', detail: { day, ourCaptured: '94.00', theirCaptured: null } },
    ]);
  });

  test('is an amount that is not ours', async () => {
    const attempt = await paid();
    await atGateway(attempt, { amount: '93.00' });
    await run();
    expect(await rowOf(attempt)).toMatchObject({
      differences: ['amount'],
      theirCapturedMinor: 93_00,
    });
    expect(await alertsOf(attempt)).toMatchObject([{ kind: 'books_amount' }]);
  });

  test('is a refund that was made by hand', async () => {
    const attempt = await paid();
    await refundByHand(attempt, 20_00);
    await run();
    expect(await rowOf(attempt)).toMatchObject({
      differences: ['refund_amount'],
      ourRefundedMinor: 0,
      theirRefundedMinor: 20_00,
    });
    expect(await alertsOf(attempt)).toMatchObject([{ kind: 'books_refund_amount' }]);
  });

  test('raises its alert once, also after it was resolved; another figure is another alert', async () => {
    const attempt = await paid();
    await refundByHand(attempt, 20_00);
    await run();
    await run();
    expect(await alertsOf(attempt)).toHaveLength(1);
    expect(await reportsBetween(db, day, day)).toHaveLength(1);
    await db
      .update(paymentAlert)
      .set({ resolvedAt: platform.now() })
      .where(eq(paymentAlert.attemptId, attempt));
    await run();
    expect(await alertsOf(attempt)).toEqual([]);
    await addRefund(db, {
      orderRef: attempt,
      refundRef: 'by-hand-again',
      minor: 1,
      capturedMinor: 94_00,
    });
    await run();
    expect(await alertsOf(attempt)).toHaveLength(1);
  });

  test('that is gone is gone from the report of a rerun', async () => {
    const attempt = await paid();
    await atGateway(attempt, { amount: '93.00' });
    await run();
    await atGateway(attempt, { amount: '94.00' });
    expect(await run()).toMatchObject([{ differing: 0 }]);
    expect((await rowOf(attempt)).differences).toEqual([]);
  });
});

test('a capture without a notification is reported, and pays its order', async () => {
  const order = await place();
  const attempt = await start(order);
  const captureId = `CAP-${randomUUID()}`;
  const decision = { status: 'completed', captureId, decidedAt: platform.now() } as const;
  await db.transaction((tx) => decideTransaction(tx, attempt, decision));
  await run();
  expect(await rowOf(attempt)).toMatchObject({
    differences: ['missing_here'],
    settled: true,
    ourCapturedMinor: null,
    theirCapturedMinor: 94_00,
  });
  expect(await alertsOf(attempt)).toEqual([]);
  await expectPaidOnce(order);
});

test('an attempt that nobody finished is compared, and stays open', async () => {
  const attempt = await start(await place());
  await run();
  expect(await rowOf(attempt)).toMatchObject({ differences: [], theirCapturedMinor: null });
  expect(await stateOf(attempt)).toBe('redirected');
  // Otherwise it would stand in the report of every later day.
  await comeBack(await pay(attempt));
});

describe('a provider that does not answer', () => {
  const job = { id: '1', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
  const handle = async () => {
    platform.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) + DAY + 3600_000));
    await reconciliationJobs(platform, payments)['payment.reconcile']?.({ day }, job);
  };

  test('leaves the report unfinished, so that it is tried again, and then whole', async () => {
    const attempt = await paid();
    await service.goAway();
    await expect(handle()).rejects.toThrow('not all answers of card');
    await service.comeBack();
    const [unfinished] = await reportsBetween(db, day, day);
    expect(unfinished).toMatchObject({ finishedAt: null, differing: 0 });
    expect(unfinished?.unanswered).toBeGreaterThan(0);
    expect(await rowOf(attempt)).toMatchObject({ differences: ['no_answer'] });
    expect(await alertsOf(attempt)).toEqual([]);
    await handle();
    expect((await reportsBetween(db, day, day))[0]).toMatchObject({ unanswered: 0, differing: 0 });
    expect((await reportsBetween(db, day, day))[0]?.finishedAt).not.toBeNull();
  });

  test('for half a day becomes an alert, once', async () => {
    await paid();
    await service.goAway();
    platform.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) + DAY + 13 * 3600_000));
    await reconcile(platform, payments, day);
    await reconcile(platform, payments, day);
    await service.comeBack();
    const silent = (await openAlerts(db)).filter(({ kind }) => kind === 'books_no_answer');
    expect(silent.filter(({ once }) => once === `books:no_answer:${day}:card`)).toHaveLength(1);
  });

  test('about one attempt only does not hide the others', async () => {
    const [silent, wrong] = [await paid(), await paid()];
    await atGateway(wrong, { amount: '1.00' });
    const provider = needed(payments.providers[0]);
    const halfDeaf = {
      ...provider,
      books: async (asked: Parameters<typeof provider.books>[0]) => {
        if (asked.id === silent) throw new Error('Connection reset');
        return provider.books(asked);
      },
    };
    platform.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) + DAY + 3600_000));
    const reports = await reconcile(platform, { ...payments, providers: [halfDeaf] }, day);
    expect(reports).toMatchObject([{ unanswered: 1, differing: 1, finishedAt: null }]);
  });
});

test('a payment that moves while it is compared is not a difference', async () => {
  const attempt = await start(await place());
  const provider = needed(payments.providers[0]);
  let isFirst = true;
  const moving = {
    ...provider,
    books: async (asked: Parameters<typeof provider.books>[0]) => {
      if (isFirst && asked.id === attempt) {
        isFirst = false;
        await comeBack(await pay(attempt));
        return { captured: null, captureId: null, refunded: usd(0) };
      }
      return provider.books(asked);
    },
  };
  await reconcile(platform, { ...payments, providers: [moving] }, day);
  expect(await rowOf(attempt)).toMatchObject({ differences: [], ourCapturedMinor: 94_00 });
});

test('every day without a finished report is compared again, two weeks back', async () => {
  await paid();
  await run();
  const whole = day;
  platform.clock.advance(5 * DAY);
  const job = { id: '1', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
  await reconciliationJobs(platform, payments)['payment.reconcile_days']?.({}, job);
  const { rows } = await platform.pool.query<{ key: string }>(
    `select key from graphile_worker.jobs where task_identifier = 'payment.reconcile' order by key`,
  );
  const keys = rows.map(({ key }) => key);
  expect(keys).not.toContain(`reconcile:${whole}`);
  for (const days of [1, 2, 3, 4]) {
    const missing = dayOf(new Date(Date.parse(whole) + days * DAY));
    expect(keys).toContain(`reconcile:${missing}`);
  }
  expect(keys).not.toContain(`reconcile:${dayOf(platform.now())}`);
});
