import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { quietProvider } from '~/features/payment/testing/refunds.ts';
import { attemptsByReference, changeAttempt } from '~/features/payment/settlement/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { newBrowser, somePayer } from '../../../test/browser.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { checkout } from './checkout.server.ts';
import { closeOrder, lockOrder, payOrder, type Order } from './store.server.ts';
import { order as orders } from './tables.server.ts';
import { storeCapture } from '~/features/payment/testing/sample-attempts.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const guest = () => ({ role: 'guest' as const, sessionHash: newBrowser(platform).sessionHash });

const start = (order: Order, by: Parameters<typeof checkout>[3]['by'] = somePayer) =>
  checkout(platform, [quietProvider()], order, { by, address: '192.0.2.1' });

/** The result of a start that waits for a transaction holding the order's lock while it does this work. */
async function startDuring(work: (tx: Transaction, order: Order) => Promise<unknown>) {
  const { order } = await makeApplication(platform, { paid: false });
  const held = Promise.withResolvers<void>();
  const isWaiting = Promise.withResolvers<void>();
  const other = db.transaction(async (tx) => {
    await lockOrder(tx, order.number);
    held.resolve();
    await isWaiting.promise;
    await work(tx, order);
  });
  await held.promise;
  const started = start(order);
  await expect.poll(() => locksWaitedFor()).toBeGreaterThan(0);
  isWaiting.resolve();
  await other;
  const outcome = await started;
  return {
    code: outcome.ok ? 'started' : outcome.error.code,
    stored: (await attemptsByReference(db, order.number)).length,
  };
}

async function locksWaitedFor(): Promise<number> {
  const { rows } = await db.execute<{ waiting: number }>(
    sql`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

/** Pays the order in full by an attempt of another tab. */
async function pay(tx: Transaction, order: Order) {
  const at = platform.now();
  const attemptId = await storeCapture(tx, order, at);
  await payOrder(tx, { number: order.number, attemptId, at });
}

describe('the start of a payment, while at the same moment', () => {
  it('the order comes to cost more, opens nothing', async () => {
    const raise = (tx: Transaction, { id }: Order) =>
      tx.update(orders).set({ amountMinor: 283_00 }).where(eq(orders.id, id));
    expect(await startDuring(raise)).toEqual({ code: 'changed', stored: 0 });
  });

  it('the order is closed, opens nothing', async () => {
    const close = (tx: Transaction, { number }: Order) => closeOrder(tx, number, platform.now());
    expect(await startDuring(close)).toEqual({ code: 'changed', stored: 0 });
  });

  it('the order is paid, opens nothing and says so', async () => {
    expect(await startDuring(pay)).toEqual({ code: 'already_paid', stored: 1 });
  });

  it('another name is put into the order, goes on', async () => {
    const rename = (tx: Transaction, { id }: Order) =>
      tx.update(orders).set({ customerName: 'Ana Ruiz' }).where(eq(orders.id, id));
    expect(await startDuring(rename)).toEqual({ code: 'started', stored: 1 });
  });
});

describe('a second start', () => {
  const codeOf = async (started: ReturnType<typeof start>) => {
    const outcome = await started;
    return outcome.ok ? outcome.value.attemptId : outcome.error.code;
  };

  it('leads the payer to the same attempt for half an hour, and costs no other one', async () => {
    const { order } = await makeApplication(platform, { paid: false });
    const first = await codeOf(start(order));
    expect(await codeOf(start(order))).toBe(first);
    platform.clock.advance(31 * 60_000);
    expect(await codeOf(start(order))).not.toBe(first);
    expect(await attemptsByReference(db, order.number)).toHaveLength(2);
  });

  it('never leads a guest to what somebody else has begun, but to the own', async () => {
    const { order } = await makeApplication(platform, { paid: false });
    const [one, two] = [guest(), guest()];
    const payers = await codeOf(start(order));
    const ones = await codeOf(start(order, one));
    const all = [
      payers,
      ones,
      await codeOf(start(order, two)),
      await codeOf(start(order, { role: 'guest', sessionHash: null })),
    ];
    expect(new Set(all).size).toBe(4);
    expect(await codeOf(start(order, one))).toBe(ones);
    expect(await codeOf(start(order))).toBe(payers);
  });

  it('opens another one where the first was decided', async () => {
    const { order } = await makeApplication(platform, { paid: false });
    const first = await codeOf(start(order));
    await changeAttempt(
      db,
      { id: first, from: 'redirected' },
      { state: 'cancelled', checkoutRedirect: null },
    );
    expect(await codeOf(start(order))).not.toBe(first);
  });
});
