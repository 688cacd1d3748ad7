import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { receiptAddress, receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { application as applicationTable } from '~/features/application/tables.server.ts';
import { needed } from '../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { payer, place, start, pay, comeBack } = purchases(service);
const { cookie } = payer;
const origin = { origin: 'http://localhost' };

async function paid() {
  const order = await place();
  const attemptId = await start(order);
  await comeBack(await pay(attemptId));
  const [receipt] = await receiptsByOrder(platform.db, order.id);
  return { order, attemptId, receipt: needed(receipt) };
}

const typeBirthDate = (order: Order, receiptId: string, [year, month, day]: string[]) =>
  app.request(`/status?ref=${order.number}`, {
    method: 'POST',
    headers: origin,
    body: new URLSearchParams({
      ref: order.number,
      receipt: receiptId,
      'dateOfBirth-day': day ?? '',
      'dateOfBirth-month': month ?? '',
      'dateOfBirth-year': year ?? '',
    }),
  });

async function expectPdf(path: string | null) {
  const answer = await app.request(path ?? '');
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('content-disposition')).toMatch(/LR-2026-\d{6}\.pdf"$/);
  expect((await answer.text()).startsWith('%PDF-')).toBe(true);
}

describe('a receipt on the status page', () => {
  it('is named to whoever has the number, and opened by the date of birth alone', async () => {
    const { order, receipt } = await paid();
    const page = await (await app.request(`/status?ref=${order.number}`)).text();
    expect(page).toContain(`download=${receipt.id}`);
    expect(page).not.toContain('/receipts/');
    const wrong = await typeBirthDate(order, receipt.id, ['1984', '5', '3']);
    expect(wrong.status).toBe(422);
    const html = await wrong.text();
    expect(html).toContain(`name="receipt" value="${receipt.id}"`);
    const right = await typeBirthDate(order, receipt.id, ['1984', '5', '2']);
    expect(right.status).toBe(302);
    await expectPdf(right.headers.get('location'));
  });

  it('is neither named nor opened for a fellow traveller', async () => {
    const { order, receipt } = await paid();
    await platform.db
      .update(applicationTable)
      .set({ firstName: 'Another' })
      .where(eq(applicationTable.orderNumber, order.number));
    const page = await (await app.request(`/status?ref=${order.number}`)).text();
    expect(page).not.toContain(receipt.id);
    expect((await typeBirthDate(order, receipt.id, ['1984', '5', '2'])).status).toBe(422);
  });
});

describe('a receipt on the confirmation', () => {
  it('is opened at once for the browser that placed the order, not for one that knows the address', async () => {
    const { order, attemptId } = await paid();
    const path = `/payment-success?order=${order.number}&payment=${attemptId}`;
    const mine = await app.request(path, { method: 'POST', headers: { ...origin, cookie } });
    expect(mine.status).toBe(302);
    await expectPdf(mine.headers.get('location'));
    const theirs = await app.request(path, { method: 'POST', headers: origin });
    expect(theirs.headers.get('location')).toBe(`/status?ref=${order.number}`);
    const shown = await (await app.request(path)).text();
    expect(shown).toMatch(/href="\/status\?ref=\w+&amp;download=/);
  });
});

describe('the links to a receipt', () => {
  it('are over after ten minutes, and after a week from an e-mail', async () => {
    const { order, receipt } = await paid();
    const address = receiptAddress(platform, receipt, order).replace(platform.config.publicUrl, '');
    platform.clock.advance(6 * 24 * 3600_000);
    const path = (await app.request(address)).headers.get('location');
    await expectPdf(path);
    platform.clock.advance(11 * 60_000);
    const late = await app.request(path ?? '');
    expect(late.headers.get('location')).toMatch(/\/receipt$/);
    platform.clock.advance(24 * 3600_000);
    const over = await app.request(address);
    expect(over.status).toBe(410);
    expect(await over.text()).toContain('This link no longer works');
  });
});
