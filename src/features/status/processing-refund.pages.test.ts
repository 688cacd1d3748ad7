import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { unlimitedVisits } from '~/features/application/testing/result-visits.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { refundView, takeRefund } from './payers-refund.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { platform, request } = await unlimitedVisits();
const { db, clock } = platform;
const staff = await storeStaff(platform);
const HOUR = 3600_000;

/** A paid visa whose promised moment passes in an hour, and its payer's browser. */
async function promised() {
  const due = new Date(platform.now().getTime() + HOUR);
  const { id, number, orderNumber } = await makeApplication(platform, { promisedAt: due });
  const order = needed(await orderByNumber(db, orderNumber));
  const { cookie, sessionHash } = newBrowser(platform);
  await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
  const asked = { ref: number, applications: [], isChosen: false, done: null };
  const view = () => refundView(platform, 'missed_promise', asked, sessionHash);
  const press = async () => {
    const shown = needed(await view());
    if (shown.kind !== 'quote') throw new Error(shown.kind);
    return { id: shown.id, orderNumber, numbers: [number], shown: shown.shown, sessionHash };
  };
  const refunds = () => refundsOfOrder(db, order.id);
  return { id, number, cookie, sessionHash, view, press, refunds };
}

describe('the processing price after a missed promise', () => {
  test('is not offered up to the last moment, and refunded in full after it, without cancelling', async () => {
    const { id, number, cookie, view, press, refunds } = await promised();
    clock.advance(HOUR);
    expect(await view()).toEqual({ kind: 'nothing', why: [] });
    clock.advance(1);
    const status = await (
      await request(`/en/status?ref=${number}`, { headers: { cookie } })
    ).text();
    expect(status).toContain('you can have $25.00 refunded without cancelling');
    expect(status).toContain('We’re sorry, we missed the ready-by time');
    expect(status).toContain(`/en/status/processing-refund?ref=${number}`);
    const pressed = await press();
    expect(await takeRefund(platform, 'missed_promise', pressed)).toMatchObject({ ok: true });
    expect(await refunds()).toMatchObject([
      {
        refund: { id: pressed.id, cause: 'missed_promise', applicationNumbers: [number] },
        payment: { state: 'requested', amountMinor: 25_00, requestedBy: 'payer' },
      },
    ]);
    expect(await applicationById(db, id)).toMatchObject({ status: 'pending' });
    expect(await auditEntriesOf(db, { kind: 'refund', id: pressed.id })).toMatchObject([
      { action: 'refund_opened', staffId: null },
    ]);
  });

  test('is refunded once, however often and from however many pages it is asked for', async () => {
    const { press, view, refunds } = await promised();
    clock.advance(2 * HOUR);
    const presses = [await press(), await press()];
    const [first, second] = presses;
    const outcomes = await Promise.all(
      [first, first, second].map((one) => takeRefund(platform, 'missed_promise', needed(one))),
    );
    const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.code]));
    expect(refusals.every((code) => code === 'not_open')).toBe(true);
    expect(refusals.length).toBeLessThan(3);
    expect(await refunds()).toHaveLength(1);
    expect(await view()).toEqual({ kind: 'nothing', why: [] });
  });

  test('is not refunded again by a cancellation afterwards', async () => {
    const { number, sessionHash, press, refunds } = await promised();
    clock.advance(2 * HOUR);
    await takeRefund(platform, 'missed_promise', await press());
    const asked = { ref: number, applications: [number], isChosen: true, done: null };
    const quote = await refundView(platform, 'cancelled', asked, sessionHash);
    expect(quote).toMatchObject({ kind: 'quote', total: { minor: 0 } });
    expect(await refunds()).toHaveLength(1);
  });

  test('is due for a late approval, too, and not for one in time', async () => {
    const late = await promised();
    const early = await promised();
    await decide(platform, staff, { kind: 'approve', applicationId: early.id });
    clock.advance(2 * HOUR);
    await decide(platform, staff, { kind: 'approve', applicationId: late.id });
    expect(await late.view()).toMatchObject({ kind: 'quote', total: { minor: 25_00 } });
    expect(await early.view()).toEqual({ kind: 'nothing', why: [] });
  });

  test('is shown and refunded to the payer alone', async () => {
    const { number, press, refunds } = await promised();
    clock.advance(2 * HOUR);
    const stranger = newBrowser(platform);
    const pressed = { ...(await press()), sessionHash: stranger.sessionHash };
    expect(await takeRefund(platform, 'missed_promise', pressed)).toMatchObject({
      error: { code: 'not_payer' },
    });
    const headers = { cookie: stranger.cookie };
    const page = await request(`/en/status/processing-refund?ref=${number}`, { headers });
    expect(await page.text()).not.toContain('$25.00');
    const status = await request(`/en/status?ref=${number}`, { headers });
    expect(await status.text()).not.toContain('$25.00 refunded');
    expect(await refunds()).toEqual([]);
  });
});

describe('the page', () => {
  test.each(languageCodes)('in %s asks, refunds and says so', async (code) => {
    const { number, cookie, refunds } = await promised();
    clock.advance(2 * HOUR);
    const address = `/${code}/status/processing-refund?ref=${number}`;
    const html = await (await request(address, { headers: { cookie } })).text();
    expect(html).not.toMatch(/\blate\.\w|\{\{/);
    const hidden = [...html.matchAll(/<input [^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? '',
      /value="([^"]*)"/.exec(input)?.[1] ?? '',
    ]);
    const answer = await request(address, {
      method: 'POST',
      headers: { cookie, origin: 'http://localhost' },
      body: new URLSearchParams(hidden),
    });
    expect(answer.status).toBe(303);
    const done = await request(answer.headers.get('location') ?? '', { headers: { cookie } });
    expect(done.status).toBe(200);
    expect(await done.text()).toContain('25');
    expect(await refunds()).toHaveLength(1);
  });

  test('leads to the status page for what it cannot be about', async () => {
    for (const ref of ['TRV12', 'x', '']) {
      const answer = await request(`/status/processing-refund?ref=${ref}`);
      expect(answer.headers.get('location')).toBe(`/status?ref=${ref}`);
    }
    const { number } = await makeApplication(platform, { paid: false });
    const answer = await request(`/status/processing-refund?ref=${number}`);
    expect(answer.status).toBe(302);
  });
});
