import { describe, expect, test } from 'vitest';
import { languageCodes, directionOf } from '~/base/languages.ts';
import { emailJobs } from './jobs.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { formatNumber } from '~/base/format-number.ts';
import { makeApplication } from '../../../test/make.ts';
import { usd } from '~/base/money.ts';
import { cancelOrder } from '~/features/status/cancel-order.server.ts';
import { cancelView } from '~/features/status/cancel-view.server.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailText } from './layout/content.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { cancelledEmail } from './kinds/cancelled.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { needed } from '../../../test/needed.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const jobs = emailJobs(platform);

/** Runs the jobs that wait, so that their emails are not counted, and then asks. */
async function ask(email: string, { language = 'en', answer = '' } = {}) {
  await platform.runJobs(jobs);
  platform.sent.length = 0;
  const body = new URLSearchParams({ email, ...(answer && { emailAnswer: answer }) });
  const response = await app.request(`/${language}/status/lost-number`, { method: 'POST', body });
  const location = response.headers.get('location');
  await platform.runJobs(jobs);
  return {
    status: response.status,
    location,
    html: await response.text(),
    emails: [...platform.sent],
  };
}

describe('a lost number', () => {
  test('goes to its owner with what it is, where it stands and where it opens, and no passport data', async () => {
    const paid = await makeApplication(platform, { email: 'Zodwa@Owner.example' });
    const open = await makeApplication(platform, { email: 'zodwa@owner.example', paid: false });
    const { emails } = await ask(' ZODWA@owner.example ');
    expect(emails).toHaveLength(1);
    const [email] = emails;
    expect(email?.to).toBe('ZODWA@owner.example');
    expect(email?.subject).toBe('Your application numbers');
    for (const { number } of [paid, open]) expect(email?.text).toContain(formatNumber(number));
    expect(email?.text).toMatch(/e-visa, arrival 12 December 2026\. Pending\. http/);
    expect(email?.text).toMatch(/e-visa, arrival 12 December 2026\. Not paid yet\. http/);
    expect(email?.text.match(/\/en\/my-order\/[\w.-]+/g)).toHaveLength(2);
    expect(`${email?.text}${email?.html}`).not.toMatch(/A01234547|Thabo|Naidoo|1984/);
  });

  test('is told to nobody else: an address without applications gets no e-mail', async () => {
    await makeApplication(platform, { email: 'somebody@owner.example' });
    expect((await ask('nobody@owner.example')).emails).toEqual([]);
    expect((await ask('body@owner.example')).emails).toEqual([]);
  });

  test('is answered on the page in the same bytes for known and unknown addresses', async () => {
    await makeApplication(platform, { email: 'known@owner.example' });
    const [known, unknown] = [await ask('known@owner.example'), await ask('unkno@owner.example')];
    expect(known.emails).toHaveLength(1);
    expect(unknown.emails).toEqual([]);
    const seen = ({ status, location, html }: typeof known) => ({ status, location, html });
    expect(seen(known)).toEqual(seen(unknown));
    expect(known).toMatchObject({ status: 303, location: '/en/status/lost-number?sent=yes' });
    const page = await (await app.request('/en/status/lost-number?sent=yes')).text();
    expect(page).toContain('email you their numbers');
  });

  test('leaves no address in the queue', async () => {
    await app.request('/en/status/lost-number', {
      method: 'POST',
      body: new URLSearchParams({ email: 'secret@owner.example' }),
    });
    const { rows } = await platform.pool.query<{ payload: string }>(
      'select payload::text from graphile_worker._private_jobs',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { payload } of rows) expect(payload).not.toContain('secret@');
    await platform.runJobs(jobs);
  });

  test.each([
    ['nothing', '', 'Enter your email address'],
    ['what cannot be an address', 'a,b@c.de', 'Please enter a valid email address'],
    ['what looks mistyped', 'zodwa@gmial.com', 'Did you mean'],
  ])('is asked for again after %s', async (_, typed, message) => {
    const { status, html, emails } = await ask(typed);
    expect(status).toBe(422);
    expect(html).toContain(message);
    expect(emails).toEqual([]);
  });

  test('goes to a mistyped address that was kept', async () => {
    await makeApplication(platform, { email: 'zodwa@gmial.com' });
    const { emails } = await ask('zodwa@gmial.com', { answer: 'zodwa@gmial.com' });
    expect(emails.map(({ to }) => to)).toEqual(['zodwa@gmial.com']);
  });

  test('is sent at most three times an hour', async () => {
    const own = await makeTestPlatform();
    const page = makeTestApp(own);
    const statuses: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      const body = new URLSearchParams({ email: 'often@owner.example' });
      statuses.push(
        (await page.request('/en/status/lost-number', { method: 'POST', body })).status,
      );
    }
    expect(statuses).toEqual([303, 303, 303, 429]);
  });
});

test('a visitor may ask for ten addresses an hour', async () => {
  const own = await makeTestPlatform();
  const page = makeTestApp(own);
  const statuses: number[] = [];
  for (let times = 0; times < 11; times += 1) {
    const body = new URLSearchParams({ email: `person${times}@owner.example` });
    statuses.push((await page.request('/en/status/lost-number', { method: 'POST', body })).status);
  }
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 303));
  expect(statuses[10]).toBe(429);
});

test.each(languageCodes)('the page and its e-mail are whole in %s', async (code) => {
  const own = await makeTestPlatform();
  const page = makeTestApp(own);
  const email = `${code}@owner.example`;
  await makeApplication(own, { email });
  const form = await (await page.request(`/${code}/status/lost-number`)).text();
  const body = new URLSearchParams({ email });
  await page.request(`/${code}/status/lost-number`, { method: 'POST', body });
  await own.runJobs(emailJobs(own));
  const [first] = own.sent;
  expect(first?.language).toBe(code);
  expect(`${first?.text}${first?.subject}`).not.toMatch(/\{\{|undefined|numbers\.\w/);
  expect(form).not.toMatch(/\{\{|lost\./);
});

test('the status page leads there', async () => {
  for (const path of ['/en/status', '/en/status?ref=TRV000000000000Z']) {
    expect(await (await app.request(path)).text()).toContain('href="/en/status/lost-number"');
  }
});

describe('self service emails', async () => {
  const platform = await makeTestPlatform();
  const { db, sent } = platform;
  const staff = await storeStaff(platform);
  const jobs = emailJobs(platform);

  async function written() {
    sent.length = 0;
    await platform.runJobs(jobs);
    return [...sent];
  }

  test('sending an application to the authorities is written about once', async () => {
    const { id } = await makeApplication(platform, { email: 'on@example.org' });
    const sentOff = await decide(platform, staff, { kind: 'start_processing', applicationId: id });
    expect(sentOff.ok).toBe(true);
    const [email, ...others] = await written();
    expect(others).toEqual([]);
    expect(email).toMatchObject({ to: 'on@example.org' });
    expect(email?.text).toContain('We’ve sent your application to the Turkish authorities.');
  });

  describe('a cancellation by the payer', () => {
    test('is confirmed to the payer with what is refunded of which line', async () => {
      const { number, orderNumber } = await makeApplication(platform, {
        email: 'payer@example.org',
      });
      const order = needed(await orderByNumber(db, orderNumber));
      const { sessionHash } = newBrowser(platform);
      await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
      const asked = { ref: number, applications: [], isChosen: false, done: null };
      const view = await cancelView(platform, asked, sessionHash);
      if (view?.kind !== 'quote') throw new Error(view?.kind);
      const press = { id: view.id, shown: view.shown, orderNumber, numbers: [number], sessionHash };
      expect((await cancelOrder(platform, press)).ok).toBe(true);
      const mails = (await written()).filter(({ to }) => to === 'payer@example.org');
      expect(mails.map(({ subject }) => subject)).toContainEqual(
        expect.stringMatching(/^Cancelled: TRV /),
      );
      const [email] = mails.filter(({ subject }) => subject.startsWith('Cancelled'));
      for (const text of ['$25.00', 'Cancelled soon after payment', 'E-visa for Thabo Naidoo'])
        expect(email?.text).toContain(text);
    });

    test.each(languageCodes)('is written in %s, with and without a refund', async (code) => {
      const words = wordsFor(await withOperator(platform), code);
      const applications = [
        { kind: 'visa', number: 'TRV7K2M9Q4XW8RT6', name: 'Thabo Naidoo' },
      ] as const;
      const shared = { name: 'Thabo Naidoo', orderNumber: 'TRV7K2M9Q4XW8RT6', applications };
      const line = {
        applicationNumber: 'TRV7K2M9Q4XW8RT6',
        code: 'processing_fee',
        detail: 'standard' as const,
        amountMinor: 20_00,
        paidMinor: 25_00,
        reason: 'still_pending',
      };
      const refund = { total: usd(20_00), lines: [line] };
      for (const given of [refund, null]) {
        const content = cancelledEmail(words, { ...shared, refund: given });
        expect(emailHtml(content, '')).toContain(`dir="${directionOf(code)}"`);
        const text = emailText(content);
        expect(text.includes('20')).toBe(given !== null);
        expect(text).not.toMatch(/cancelled\.|\{\{/);
      }
    });
  });
});
