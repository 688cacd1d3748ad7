import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { unlimitedVisits } from '~/features/application/testing/result-visits.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { refundMissedPromises } from './missed-promises.server.ts';
import { cancellationView } from './cancel.server.ts';

const { platform, request } = await unlimitedVisits();
const HOUR = 3600_000;
const { db, clock } = platform;
const after = (ms: number) => new Date(platform.now().getTime() + ms);
const limited = makeTestApp(platform);

async function paidVisa(promisedAt: Date | null = null) {
  const application = await makeApplication(platform, { promisedAt });
  const order = needed(await orderByNumber(db, application.orderNumber));
  const { cookie, sessionHash } = newBrowser(platform);
  await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
  const visit = async (headers: Record<string, string> = { cookie }) => {
    const path = `/en/status/cancel?ref=${application.number}`;
    const response = await request(path, { headers });
    return { response, html: await response.text() };
  };
  const press = async (html: string, headers: Record<string, string> = { cookie }) =>
    request(`/en/status/cancel?ref=${application.number}`, {
      method: 'POST',
      headers: { origin: 'http://localhost', ...headers },
      body: formIn(html),
    });
  const refunds = () => refundsByOrder(db, order.id);
  return { application, cookie, sessionHash, visit, press, refunds };
}

/** The hidden fields of the page's form, as a browser sends them. */
const formIn = (html: string): URLSearchParams =>
  new URLSearchParams(
    [...html.matchAll(/<input [^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? '',
      /value="([^"]*)"/.exec(input)?.[1] ?? '',
    ]),
  );

describe('the page that cancels', () => {
  test('is offered on the status page while there is something to cancel', async () => {
    const { application } = await paidVisa();
    const status = await (await request(`/en/status?ref=${application.number}`)).text();
    expect(status).toContain(`/en/status/cancel?ref=${application.number}`);
  });

  test('says on the status page what it would refund, to the payer alone', async () => {
    const { application, cookie } = await paidVisa();
    const path = `/en/status?ref=${application.number}`;
    const own = await (await request(path, { headers: { cookie } })).text();
    expect(own).toMatch(/Refund now: \$25\.00\.[^\n]*Until /);
    for (const headers of [undefined, { cookie: newBrowser(platform).cookie }]) {
      const html = await (await request(path, headers && { headers })).text();
      expect(html).not.toContain('Refund now');
    }
  });

  test('promises no refund in its link and title where there is none', async () => {
    const { application, cookie, visit } = await paidVisa();
    clock.advance(25 * 3600_000);
    const path = `/en/status?ref=${application.number}`;
    const status = await (await request(path, { headers: { cookie } })).text();
    expect(status).toContain('Cancel without a refund');
    expect(status).not.toContain('Cancel and get a refund');
    const { html } = await visit();
    expect(html).toContain('<title>Cancel without a refund');
    expect(html).not.toContain('Cancel and get a refund');
  });

  test('shows the payer what is refunded, line by line and until when, without scripts', async () => {
    const { visit } = await paidVisa();
    clock.advance(90 * 60_000);
    const { response, html } = await visit();
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    for (const text of ['$69.00', '$25.00', '$20.00', '$0.00', 'The e-visa fee is not refunded'])
      expect(html).toContain(text);
    expect(html).toContain('Cancel and refund $20.00');
    expect(html).toContain('data-testid="holds-until"');
  });

  test('cancels with one press, says what is refunded, and a second press shows the same', async () => {
    const { application, cookie, visit, press, refunds } = await paidVisa();
    const { html } = await visit();
    const pressed = await press(html);
    expect(pressed.status).toBe(303);
    const done = pressed.headers.get('location') ?? '';
    const shown = await (await request(done, { headers: { cookie } })).text();
    expect(shown).toContain('We’ll refund $25.00 to your original payment method.');
    expect((await press(html)).headers.get('location')).toBe(done);
    expect(await refunds()).toHaveLength(1);
    expect((await applicationById(db, application.id))?.status).toBe('rejected');
    expect((await visit()).html).toContain('There is nothing left to cancel.');
    const status = await (await request(`/en/status?ref=${application.number}`)).text();
    expect(status).toContain('This application is cancelled');
    expect(status).not.toContain('/status/cancel');
  });

  test('asks again where the amount has changed, with the new amounts', async () => {
    const { visit, press, refunds } = await paidVisa();
    const { html } = await visit();
    clock.advance(61 * 60_000);
    const answer = await press(html);
    expect(answer.status).toBe(409);
    const again = await answer.text();
    expect(again).toContain('The refund has changed');
    expect(again).toContain('Cancel and refund $20.00');
    expect(await refunds()).toEqual([]);
    expect((await press(again)).status).toBe(303);
  });

  test('shows somebody who only has the number nothing, and cancels nothing for them', async () => {
    const { application, visit, press, refunds } = await paidVisa();
    const own = (await visit()).html;
    const strangers: Record<string, string>[] = [{}, { cookie: newBrowser(platform).cookie }];
    for (const headers of strangers) {
      const { html } = await visit(headers);
      expect(html).toContain('Only the person who placed this order can cancel it');
      expect(/<main[^]*<\/main>/.exec(html)?.[0]).not.toContain('$');
      expect(html).not.toContain(application.lastName);
      expect((await press(own, headers)).status).toBe(403);
    }
    expect(await refunds()).toEqual([]);
  });

  test('tells nobody by guessing which numbers there are', async () => {
    const { application } = await paidVisa();
    const guess = (ref: string) =>
      limited.request(`/en/status/cancel?ref=${ref}`, {
        method: 'POST',
        headers: { 'x-forwarded-for': '198.51.100.7' },
        body: new URLSearchParams({ ref, id: randomUUID(), shown: 'x' }),
      });
    expect((await guess(application.number)).status).toBe(403);
    for (let tries = 0; tries < 60; tries += 1) await guess('TRV0000000000000');
    const late = await guess(application.number);
    expect([late.status, late.headers.get('location')]).toEqual([
      302,
      `/en/status?ref=${application.number}`,
    ]);
  });

  test('leads to the status page from an unknown number and an unpaid order', async () => {
    const unpaid = await makeApplication(platform, { paid: false });
    for (const ref of ['TRV0000000000000', unpaid.number]) {
      const answer = await request(`/en/status/cancel?ref=${ref}`);
      expect(answer.headers.get('location')).toBe(`/en/status?ref=${ref}`);
    }
  });
});

describe('a missed promise', () => {
  test('is said on the status page with the refund, to everybody who has the number, and in time nothing', async () => {
    const { application, refunds, sessionHash } = await paidVisa(after(HOUR));
    const status = async () => (await request(`/en/status?ref=${application.number}`)).text();
    const said = 'Because we’re late, we refund the processing price. You do not need to ask.';
    clock.advance(HOUR);
    expect(await status()).not.toContain(said);
    clock.advance(HOUR);
    await refundMissedPromises(platform);
    const html = await status();
    expect(html).toContain(said);
    expect(html).toMatch(/Refund on its way[^]*\$25\.00/);
    // What went back by itself does not go back again by cancelling.
    const asked = { ref: application.number, applications: [], isChosen: false, done: null };
    const quote = await cancellationView(platform, asked, sessionHash);
    expect(quote).toMatchObject({ kind: 'quote', total: { minor: 0 } });
    expect(await refunds()).toHaveLength(1);
  });
});
