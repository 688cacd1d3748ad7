import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attemptsByReference, raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { paymentAlert, paymentAttempt } from '~/features/payment/tables.server.ts';
import { reconcile } from '~/features/payment/reconcile/jobs.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { addDays, toPlainDate, parseDate, UTC } from '~/base/dates/dates.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const app = makeTestApp(platform);
const manager = await storeStaff(platform, { role: 'manager', name: 'M. Demir' });
const administrator = await storeStaff(platform, { role: 'administrator' });
const reviewer = await storeStaff(platform);

async function open(path: string, cookie = manager.cookie) {
  const response = await app.request(path, { headers: { cookie, accept: 'text/html' } });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

async function send(path: string, form: Record<string, string>, cookie = manager.cookie) {
  return app.request(path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { cookie, accept: 'text/html', origin: platform.config.publicUrl },
  });
}

const rowsIn = (html: string) => html.split('data-testid="payment-row"').length - 1;

async function alertAbout(attemptId: string | null): Promise<string> {
  const id = randomUUID();
  const detail = { amount: '93.00', currency: 'USD', transactionId: '=TX<b>' };
  const alert = { id, kind: 'wrong_amount', attemptId, detail, raisedAt: platform.now() } as const;
  await db.transaction((tx) => raiseAlert(tx, alert));
  return id;
}

test('the navigation names them to those who may', async () => {
  expect((await open('/admin')).html).toContain('href="/admin/payments"');
  expect((await open('/admin', reviewer.cookie)).html).not.toContain('/admin/payments');
});

describe('the list of attempts', () => {
  test('is searched by order, application and transaction', async () => {
    const { number } = await makeApplication(platform);
    const attempt = needed((await attemptsByReference(db, number))[0]);
    const spaced = `${number.slice(0, 3)} ${number.slice(3, 9)}-${number.slice(9)}`.toLowerCase();
    for (const search of [number, spaced, attempt.captureId, attempt.providerReference]) {
      const { html } = await open(`/admin/payments?search=${encodeURIComponent(search ?? '')}`);
      expect(rowsIn(html)).toBe(1);
      expect(html).toContain(`href="/admin/orders/${number}"`);
      expect(html).toContain('$94.00');
    }
    const nothing = await open('/admin/payments?search=nobody');
    expect(rowsIn(nothing.html)).toBe(0);
    expect(nothing.html).toContain('No payment attempts found');
  });

  test('is filtered by state, provider and day', async () => {
    const { number } = await makeApplication(platform, { paid: false, begun: true });
    const on = (query: string) => open(`/admin/payments?search=${number}&${query}`);
    const today = toPlainDate(platform.now(), UTC);
    for (const query of ['state=redirected', 'provider=card', `day=${today}`, 'state=nonsense'])
      expect(rowsIn((await on(query)).html), query).toBe(1);
    for (const query of ['state=completed', 'provider=paypal', `day=${addDays(today, 1)}`])
      expect(rowsIn((await on(query)).html), query).toBe(0);
  });

  test('is read by cursor, forth and back, without gaps', async () => {
    await db.insert(paymentAttempt).values(
      Array.from({ length: 120 }, (_, index) => ({
        id: randomUUID(),
        reference: 'TRG-MANY',
        amountMinor: 1,
        currency: 'USD',
        begunBy: 'payer' as const,
        provider: 'paypal',
        state: 'expired' as const,
        // Several in the same moment.
        createdAt: new Date(Date.UTC(2020, 0, 1, 0, 0, Math.floor(index / 7))),
        changedAt: new Date(Date.UTC(2020, 0, 2)),
      })),
    );
    const linkIn = (html: string, name: string) =>
      needed(
        new RegExp(`href="(/admin/payments[^"]*[?&;]${name}=[^"#]*)`).exec(html)?.[1],
      ).replaceAll('&amp;', '&');
    const first = await open('/admin/payments?provider=paypal&state=expired');
    const second = await open(linkIn(first.html, 'older'));
    const third = await open(linkIn(second.html, 'older'));
    expect([first, second, third].map(({ html }) => rowsIn(html))).toEqual([50, 50, 20]);
    expect(third.html).not.toMatch(/href="\/admin\/payments[^"]*[?;&]older=/);
    const back = await open(linkIn(third.html, 'newer'));
    expect(rowsIn(back.html)).toBe(50);
    expect((await open('/admin/payments?older=nonsense')).status).toBe(200);
  });
});

describe('an alert', () => {
  test('says in words what happened, and nothing in it is markup', async () => {
    const { number } = await makeApplication(platform);
    await alertAbout(needed((await attemptsByReference(db, number))[0]).id);
    const { html } = await open('/admin/payments');
    expect(html).toContain('reports an amount or currency that is different');
    expect(html).toContain('$93.00');
    expect(html).toContain('=TX&lt;b&gt;');
    expect(html).toContain(`href="/admin/orders/${number}"`);
  });

  test('is resolved with a note: who and when are kept, the trail holds ids', async () => {
    const id = await alertAbout(null);
    const path = '/admin/payments?provider=card';
    const done = await send(path, { alert: id, [`note-${id}`]: ' Called the bank ' });
    expect(done.status).toBe(302);
    expect(done.headers.get('location')).toBe('/admin/payments?provider=card&resolved=1#alerts');
    const [alert] = await db.select().from(paymentAlert).where(eq(paymentAlert.id, id));
    expect(alert).toMatchObject({
      resolvedBy: manager.id,
      resolvedAt: platform.now(),
      resolution: 'Called the bank',
    });
    const trail = await auditEntriesBySubject(db, { kind: 'alert', id });
    expect(trail).toMatchObject([{ action: 'alert_resolved', staffId: manager.id }]);
    expect(JSON.stringify(trail)).not.toContain('bank');
    const { html } = await open('/admin/payments');
    expect(html).toContain('Called the bank');
    expect(html).toContain('M. Demir');
  });

  test('needs a note, and keeps what was typed', async () => {
    const id = await alertAbout(null);
    const empty = await send('/admin/payments', { alert: id, [`note-${id}`]: '  ' });
    expect(empty.status).toBe(422);
    expect(await empty.text()).toContain('Enter what was done');
    const note = 'long '.repeat(201);
    const long = await send('/admin/payments', { alert: id, [`note-${id}`]: note });
    expect(long.status).toBe(422);
    expect(await long.text()).toContain('long long');
  });

  test('that two resolve at once is resolved by one; the other learns by whom', async () => {
    const id = await alertAbout(null);
    const both = await Promise.all([
      send('/admin/payments', { alert: id, [`note-${id}`]: 'One' }),
      send('/admin/payments', { alert: id, [`note-${id}`]: 'Two' }, administrator.cookie),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    const late = needed(both.find(({ status }) => status === 409));
    expect(await late.text()).toMatch(/Already resolved by (M\. Demir|E\. Aydın)/);
    expect(await auditEntriesBySubject(db, { kind: 'alert', id })).toHaveLength(1);
    expect((await send('/admin/payments', { alert: 'gone', 'note-gone': 'x' })).status).toBe(404);
  });
});

describe('reconciliation', () => {
  const day = needed(parseDate('2026-11-23'));
  const start = platform.now();
  let number = '';
  let reader = manager;

  // A payment, and the day after it.
  beforeEach(async () => {
    ({ number } = await makeApplication(platform));
    platform.clock.advance(24 * 3600_000);
    // A new session, as that of the day before has ended.
    reader = await storeStaff(platform, { role: 'manager' });
  });
  afterEach(() => platform.clock.set(start));

  test('shows the day, its differences, and gives them as a file', async () => {
    const silent = quietProvider();
    const payments = quietPayments(silent);
    await reconcile(platform, payments, day);
    const { html } = await open('/admin/figures', reader.cookie);
    expect(html).toContain('missing at the partner');
    expect(html).toContain(`href="/admin/orders/${number}"`);
    expect(html).not.toContain('agree on every attempt');
    const file = await open(`/admin/figures/books/csv?from=${day}&to=${day}`, reader.cookie);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="reconciliation-${day}-to-${day}.csv"`,
    );
    const lines = file.html.split('\r\n');
    expect(lines[0]).toMatch(/day,provider,order,attempt/);
    expect(lines.find((line) => line.includes(number))).toContain('missing_there');
    const trail = await auditEntriesBySubject(db, { kind: 'statistics', id: 'books' });
    expect(trail.at(-1)).toMatchObject({ action: 'figures_exported', staffId: reader.id });
  });

  test('without all answers is unfinished, on the page and in the name of the file', async () => {
    const deaf = quietProvider({ books: async () => 'no_answer' });
    const payments = quietPayments(deaf);
    await reconcile(platform, payments, day);
    const { html } = await open(`/admin/figures?from=${day}&to=${day}`, reader.cookie);
    expect(html).toContain('Unfinished');
    expect(html).not.toContain('agree on every attempt');
    const { headers } = await open(`/admin/figures/books/csv?from=${day}&to=${day}`, reader.cookie);
    expect(headers.get('content-disposition')).toContain('unfinished');
  });

  test('a past day is compared again when asked; no other day is', async () => {
    const asked = await send('/admin/figures', { day }, reader.cookie);
    expect(asked.headers.get('location')).toBe(
      `/admin/figures?from=${day}&to=${day}&asked=1#books`,
    );
    for (const other of ['2026-11-24', '2030-01-01', 'x']) {
      const refused = await send('/admin/figures', { day: other }, reader.cookie);
      expect(refused.status).toBe(422);
    }
    const { rows } = await platform.pool.query<{ key: string }>(
      `select key from graphile_worker.jobs where task_identifier = 'payment.reconcile'`,
    );
    expect(rows).toEqual([{ key: `reconcile:${day}` }]);
  });
});
