import { randomBytes } from 'node:crypto';
import { describe, expect, test, beforeAll } from 'vitest';
import { eq } from 'drizzle-orm';
import { languageCodes, textDirection } from '~/base/languages.ts';
import { formatNumber } from '~/base/format-number.ts';
import { usd } from '~/base/money.ts';
import { cancellationView, cancelApplications } from '~/features/status/cancel.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { addPayerDevice, openPayerLink } from '~/features/order/payer/payer.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { TELL_AFTER_MS, queueUnpaidEmails } from '~/features/order/payer/remind-unpaid.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { action as handleChangeSubmit } from '~/features/status/change.tsx';
import { makeBrowser, southAfrican } from '~/features/visa/testing/sample-browser.server.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit } from '~/features/visa/wizard/review.server.ts';
import { peekResumedAnswers, sendResumeLink } from '~/features/form/draft/resume.server.ts';
import { draft as draftTable } from '~/features/form/tables.server.ts';
import { insuranceDrafts } from '~/features/insurance/store/draft.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { adultForm, formRequest, visitor } from '~/features/insurance/testing/visit.ts';
import { submitWizardStep } from '~/features/visa/testing/wizard-visits.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { makeApplication } from '../../../test/make.ts';
import { newBrowser } from '../../../test/browser.ts';
import { needed } from '../../../test/needed.ts';
import { emailJobs } from './jobs.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailText } from './layout/content.server.ts';
import { cancelledEmail } from './kinds/cancelled.server.ts';
import { emailWords } from './kinds/kind.server.ts';

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
    const sentOff = await decideApplication(platform, staff, {
      kind: 'start_processing',
      applicationId: id,
    });
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
      const view = await cancellationView(platform, asked, sessionHash);
      if (view?.kind !== 'quote') throw new Error(view?.kind);
      const press = { id: view.id, shown: view.shown, orderNumber, numbers: [number], sessionHash };
      expect((await cancelApplications(platform, press)).ok).toBe(true);
      const mails = (await written()).filter(({ to }) => to === 'payer@example.org');
      expect(mails.map(({ subject }) => subject)).toContainEqual(
        expect.stringMatching(/^Cancelled: TRV /),
      );
      const [email] = mails.filter(({ subject }) => subject.startsWith('Cancelled'));
      for (const text of [
        'refund is $25.00',
        'in 5 to 10 business days',
        'Cancelled soon after payment',
        'E-visa for Thabo Naidoo',
      ])
        expect(email?.text).toContain(text);
    });

    test.each(languageCodes)('is written in %s, with and without a refund', async (code) => {
      const words = emailWords(await withOperator(platform), code);
      const applications = [
        {
          kind: 'visa',
          number: 'TRV7K2M9Q4XW8RT6',
          firstName: 'Thabo',
          lastName: 'Naidoo',
          rejectionCode: 'withdrawn',
          rejectionReason: null,
          decidedAt: platform.now(),
        },
      ] as const;
      const shared = { greeting: 'Dear', orderNumber: 'TRV7K2M9Q4XW8RT6', applications };
      const line = {
        applicationNumber: 'TRV7K2M9Q4XW8RT6',
        code: 'processing_fee',
        detail: 'standard' as const,
        amountMinor: 20_00,
        paidMinor: 25_00,
        reason: 'still_pending',
      };
      const refund = { total: usd(20_00), lines: [line] };
      for (const [given, isByPayer] of [
        [refund, true],
        [null, true],
        [refund, false],
      ] as const) {
        const content = cancelledEmail(words, { ...shared, isByPayer, refund: given });
        expect(emailHtml(content, '')).toContain(`dir="${textDirection(code)}"`);
        const text = emailText(content);
        expect(text.includes('20')).toBe(given !== null);
        expect(text).not.toMatch(/cancelled\.|\{\{/);
      }
    });
  });
});

describe('changed email', async () => {
  const platform = await makeTestPlatform();
  const quiet = quietPayments(quietProvider());
  const { clock, db, sent } = platform;
  const app = makeTestApp(platform);
  const browser = visitor(app);
  const jobs = emailJobs(platform);

  beforeAll(() => seedAll(db, [seedCatalog, seedInsurance], platform.now()));

  async function mails() {
    sent.length = 0;
    await queueUnpaidEmails(platform);
    await platform.runJobs(jobs);
    return [...sent];
  }

  const payerToken = (text = '') => /\/en\/my-order\/([\w.-]+)/.exec(text)?.[1] ?? '';
  const mayChange = async (visit: ReturnType<typeof browser>, number: string) =>
    (await visit(`/insurance/change?ref=${number}`)).html.includes('name="intent"');

  test('another e-mail address of an insurance gets number and way to pay, and what went to the old one opens nothing', async () => {
    const visit = browser();
    await visit('/insurance', formRequest(adultForm));
    const { location } = await visit('/insurance/review', formRequest({ intent: 'pay' }));
    const number = location.replace('/insurance/payment?ref=', '');
    clock.advance(TELL_AFTER_MS);
    const [old] = await mails();
    expect(old?.to).toBe(adultForm.email);
    const other = browser();
    await other(`/en/my-order/${payerToken(old?.text)}`);
    expect(await mayChange(other, number)).toBe(true);

    await visit(`/insurance/change?ref=${number}`, formRequest({ intent: 'change' }));
    const [draft] = await db.select().from(draftTable).where(eq(draftTable.changing, number));
    const { id: draftId } = needed(draft);
    const request = {
      draftId,
      email: adultForm.email,
      language: 'en',
      address: '192.0.2.1',
      opener: null,
    };
    expect(await sendResumeLink(insuranceDrafts, platform, request)).toMatchObject({ ok: true });
    const [resume] = await mails();
    const saved = /\/insurance\/resume\/([\w.-]+)/.exec(resume?.text ?? '')?.[1] ?? '';
    expect(await peekResumedAnswers(insuranceDrafts, platform, saved, 'en')).not.toBeNull();

    const moved = { ...adultForm, email: 'sofia.ruiz@correo.example' };
    await visit('/insurance', formRequest(moved));
    const paid = await visit(
      '/insurance/review',
      formRequest({ intent: 'pay', totalAmount: '149.00' }),
    );
    expect(paid.location).toBe(`/insurance/payment?ref=${number}`);

    const [email, ...more] = await mails();
    expect(more).toEqual([]);
    expect(email?.to).toBe(moved.email);
    expect(email?.text).toContain(formatNumber(number));
    const opened = await openPayerLink(platform, payerToken(email?.text), randomBytes(32));
    expect(opened).toMatchObject({ ok: true, value: { number } });
    const gone = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
    expect(gone).toMatchObject({ ok: false });
    expect(await peekResumedAnswers(insuranceDrafts, platform, saved, 'en')).toBeNull();
    // A browser that became the payer's by the old link no longer is; the one that changed the address still is.
    expect(await mayChange(other, number)).toBe(false);
    expect(await mayChange(visit, number)).toBe(true);
  });

  test('the same address is not written to again', async () => {
    const visit = browser();
    await visit('/insurance', formRequest(adultForm));
    const { location } = await visit('/insurance/review', formRequest({ intent: 'pay' }));
    const number = location.replace('/insurance/payment?ref=', '');
    clock.advance(TELL_AFTER_MS);
    const [old] = await mails();
    await visit(`/insurance/change?ref=${number}`, formRequest({ intent: 'change' }));
    await visit('/insurance', formRequest({ ...adultForm, lastName: 'Castillo' }));
    await visit('/insurance/review', formRequest({ intent: 'pay', totalAmount: '149.00' }));
    expect(await mails()).toEqual([]);
    const opened = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
    expect(opened).toMatchObject({ ok: true });
  });

  test('another e-mail address of an e-visa does the same', async () => {
    const traveller = makeBrowser(platform, { payments: quiet });
    await traveller.post(handleNationalitySubmit, southAfrican);
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await traveller.post(submitWizardStep(step), southAfrican);
    }
    await traveller.post(handleReviewSubmit, { intent: 'pay' });
    clock.advance(TELL_AFTER_MS);
    const [old] = await mails();
    expect(old?.to).toBe(southAfrican.email);
    const first = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
    const number = first.ok ? first.value.number : '';

    await traveller.post(
      handleChangeSubmit,
      { intent: 'change' },
      `/application/change?ref=${number}`,
    );
    await traveller.post(submitWizardStep('details'), {
      ...southAfrican,
      email: 'thandi@mail.example',
    });
    await traveller.post(handleReviewSubmit, { intent: 'pay', totalAmount: '94.00' });
    const [email, ...more] = await mails();
    expect(more).toEqual([]);
    expect(email?.to).toBe('thandi@mail.example');
    expect(email?.text).toContain(formatNumber(number));
    const opened = await openPayerLink(platform, payerToken(email?.text), randomBytes(32));
    expect(opened).toMatchObject({ ok: true, value: { number } });
    const gone = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
    expect(gone).toMatchObject({ ok: false, error: 'expired' });
  });
});
