import { describe, expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import { transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { signStatement } from '~/lab/gateway/gateway.server.ts';
import { refundsByAttempts } from '~/features/payment/settlement/refund-store.server.ts';
import {
  attemptById,
  attemptsByReference,
  openAlerts,
} from '~/features/payment/settlement/store.server.ts';
import { sweep, sweepRefunds } from '~/features/payment/settlement/sweep.server.ts';
import { newBrowser, somePayer } from '../../../../test/browser.ts';
import { goodCard, purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { changeOrder, lockUnpaid, lockPayments, type Unchangeable } from './change-order.server.ts';
import { checkout } from '../checkout.server.ts';
import { openPayerLink, payerLink, isPayer } from './payer.server.ts';
import { closeOrder, orderByNumber, type Order } from '../store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { changePath } from './payer-links.ts';
import { replaceLines } from '../replace-lines.ts';

const service = await startTestService();
const { platform, payments } = service;
const { payer, place, start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid, gateway } =
  purchases(service);

type Given = { email?: string; by?: Buffer };

/** Changes the order as a form submitted again at another price does. */
const change = (
  order: Order,
  dollars: number,
  { email = 'another@example.org', by = payer.sessionHash }: Given = {},
): Promise<Outcome<Order, Unchangeable>> =>
  platform.db.transaction(async (tx) => {
    await lockPayments(tx, order.number);
    const held = await lockUnpaid(tx, order.number);
    if (!held.ok) return held;
    const line = {
      applicationNumber: order.number,
      code: 'processing_fee',
      detail: 'express',
    } as const;
    const value = await changeOrder(
      tx,
      held.value,
      {
        language: 'en',
        customer: { name: 'Another Name', email },
        by,
        lines: [{ ...line, amount: usd(dollars * 100) }],
      },
      platform.now(),
    );
    return { ok: true, value };
  });

const notify = async (attemptId: string) => {
  const transaction = needed(await transactionByOrder(gateway.db, attemptId));
  return fetch(`${service.url}/api/payment/notification/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: signStatement(gateway, transaction) }),
  });
};

const current = async ({ number }: Order) => needed(await orderByNumber(platform.db, number));

describe('an order that is changed before it is paid', () => {
  it('keeps its number, and is paid at the new amount', async () => {
    const order = await place();
    const old = await start(order);
    expect(await change(order, 244)).toMatchObject({ ok: true, value: { amountMinor: 244_00 } });
    const attempt = await start(order);
    expect(attempt).not.toBe(old);
    expect(needed(await attemptById(platform.db, attempt)).amountMinor).toBe(244_00);
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
  });

  it('gives back in full what is paid at the old amount, and stays unpaid', async () => {
    const order = await place();
    const old = await start(order);
    await change(order, 244);
    expect(needed(await attemptById(platform.db, old)).checkoutRedirect).toBeNull();
    await comeBack(await pay(old));
    await notify(old);
    await expectUnpaid(order);
    expect(await stateOf(old)).toBe('captured_late');
    expect(await refundsByAttempts(platform.db, [old])).toMatchObject([
      { amountMinor: order.amountMinor, reason: 'superseded' },
    ]);
    expect(await openAlerts(platform.db)).toContainEqual(
      expect.objectContaining({ kind: 'superseded_paid', attemptId: old }),
    );
    await sweepRefunds(platform, payments);
    await service.runJobs();
    const attempt = await start(order);
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
  });

  it('is asked about at the partner when nobody says that the old amount was paid', async () => {
    const order = await place();
    const old = await start(order);
    await change(order, 244);
    await pay(old);
    platform.clock.advance(10 * 60_000);
    await sweep(platform, payments.providers, payments.onPaid);
    await expectUnpaid(order);
    expect(await stateOf(old)).toBe('captured_late');
  });

  it('lets an attempt at the same amount pay', async () => {
    const order = await place();
    const attempt = await start(order);
    await change(order, order.amountMinor / 100);
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
  });

  it('gives back a late capture of an attempt that had ended before the change', async () => {
    const order = await place();
    const old = await start(order);
    await platform.pool.query(`update payment_attempt set state = 'expired' where id = $1`, [old]);
    await change(order, 244);
    await comeBack(await pay(old));
    await expectUnpaid(order);
    expect(await stateOf(old)).toBe('captured_late');
  });
});

describe('an order that is given another e-mail address', () => {
  const tokenOf = (order: Order) => payerLink(platform, order).split('/').at(-1) ?? '';
  const openLink = async (token: string) => {
    const { sessionHash } = newBrowser(platform);
    return { sessionHash, opened: await openPayerLink(platform, token, sessionHash) };
  };

  it('is opened no more by what went to the mistyped one', async () => {
    const order = await place();
    const token = tokenOf(order);
    const { sessionHash: stranger, opened } = await openLink(token);
    expect(opened.ok).toBe(true);
    await change(order, 94);
    expect(await isPayer(platform.db, stranger, await current(order))).toBe(false);
    expect((await openLink(token)).opened).toEqual({ ok: false, error: 'expired' });
    expect(await isPayer(platform.db, payer.sessionHash, await current(order))).toBe(true);
    expect((await openLink(tokenOf(await current(order)))).opened.ok).toBe(true);
  });

  it('stays the payer’s on the device that changed it', async () => {
    const order = await place();
    const { sessionHash: phone } = await openLink(tokenOf(order));
    const { sessionHash: other } = await openLink(tokenOf(order));
    await change(order, 94, { by: phone });
    expect(await isPayer(platform.db, phone, await current(order))).toBe(true);
    expect(await isPayer(platform.db, other, await current(order))).toBe(false);
  });

  it('keeps its links where the address stays, in capitals as well', async () => {
    const order = await place();
    const token = tokenOf(order);
    const { sessionHash } = await openLink(token);
    await change(order, 244, { email: order.customerEmail.toUpperCase() });
    expect(await isPayer(platform.db, sessionHash, await current(order))).toBe(true);
    expect((await openLink(token)).opened.ok).toBe(true);
  });
});

describe('an order that cannot be changed', () => {
  it('is paid', async () => {
    const order = await place();
    await comeBack(await pay(await start(order)));
    expect(await change(order, 244)).toEqual({ ok: false, error: 'paid' });
    expect((await current(order)).amountMinor).toBe(order.amountMinor);
  });

  it('is closed', async () => {
    const order = await place();
    await platform.db.transaction((tx) => closeOrder(tx, order.number, platform.now()));
    expect(await change(order, 244)).toEqual({ ok: false, error: 'closed' });
  });

  it.each(['pending', 'authorised'])('has a payment that is %s at the partner', async (state) => {
    const order = await place();
    const attempt = await start(order);
    await platform.pool.query('update payment_attempt set state = $2 where id = $1', [
      attempt,
      state,
    ]);
    expect(await change(order, 244)).toEqual({ ok: false, error: 'confirming' });
    expect(await stateOf(attempt)).toBe(state);
  });
});

describe('at the same instant', () => {
  it('a capture and a change: one of them wins, wholly', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const order = await place();
      const attempt = await start(order);
      const address = await pay(attempt);
      const [changed] = await Promise.all(
        round % 2 === 0
          ? [change(order, 244), comeBack(address), notify(attempt)]
          : [comeBack(address).then(() => change(order, 244)), notify(attempt)],
      );
      const stored = await current(order);
      outcomes.add(changed.ok ? 'changed' : changed.error);
      if (changed.ok) {
        expect(stored).toMatchObject({ paidAt: null, amountMinor: 244_00 });
        expect(await stateOf(attempt)).toBe('captured_late');
        expect(await refundsByAttempts(platform.db, [attempt])).toHaveLength(1);
      } else {
        expect(changed.error).toBe('paid');
        expect(stored).toMatchObject({ paidBy: attempt, amountMinor: order.amountMinor });
      }
    }
    expect(outcomes).toContain('paid');
  });

  it('a start of payment and a change: no attempt that can pay is left at the old amount', async () => {
    for (let round = 0; round < 8; round += 1) {
      const order = await place();
      const [started] = await Promise.all([
        checkout(platform, payments.providers, order, { by: somePayer, address: '192.0.2.1' }),
        change(order, 244),
      ]);
      if (!started.ok) expect(started.error.code).toBe('changed');
      for (const attempt of await attemptsByReference(platform.db, order.number)) {
        if (attempt.amountMinor === 244_00) continue;
        expect(attempt.supersededAt).not.toBeNull();
        expect(attempt.checkoutRedirect).toBeNull();
      }
      if (started.ok) {
        await pay(started.value.attemptId, goodCard);
        await notify(started.value.attemptId);
        await expectUnpaid(order);
      }
    }
  });

  it('an order that was read before it was changed is not begun at the old amount', async () => {
    const order = await place();
    await change(order, 244);
    const started = await checkout(platform, payments.providers, order, {
      by: somePayer,
      address: '192.0.2.1',
    });
    expect(started).toEqual({ ok: false, error: { code: 'changed' } });
    expect(await attemptsByReference(platform.db, order.number)).toEqual([]);
  });
});

it.each([
  ['TRV1', 'TRV1', '/application/change?ref=TRV1'],
  ['TRI1', 'TRI1', '/insurance/change?ref=TRI1'],
  ['TRI1', 'TRG1', '/application/change?ref=TRI1'],
  ['TRV1', 'TRG1', '/application/change?ref=TRV1'],
  ['TRG1', 'TRG1', '/application/change?ref=TRG1'],
])('%s of the order %s is changed at %s', (number, orderNumber, path) => {
  expect(changePath(number, orderNumber)).toBe(path);
});

const stored = (applicationNumber: string, amountMinor: number) => ({
  applicationNumber,
  code: 'line',
  detail: null,
  amountMinor,
});
const line = (applicationNumber: string, amountMinor: number) => ({
  applicationNumber,
  code: 'line',
  detail: null,
  amount: usd(amountMinor),
});
const before = [stored('A', 1), stored('B', 2), stored('B', 3), stored('C', 4)];

it.each([
  ['in their place', ['B'], [line('B', 9)], [line('A', 1), line('B', 9), line('C', 4)]],
  [
    'of several applications at the first one’s',
    ['A', 'C'],
    [line('A', 9)],
    [line('A', 9), line('B', 2), line('B', 3)],
  ],
  ['by none', ['B'], undefined, [line('A', 1), line('C', 4)]],
  [
    'of nobody after the others',
    ['D'],
    [line('D', 9)],
    [...before.map((one) => line(one.applicationNumber, one.amountMinor)), line('D', 9)],
  ],
])('replaces lines %s', (_, numbers, lines, after) => {
  expect(replaceLines(before, numbers, lines)).toEqual(after);
});
