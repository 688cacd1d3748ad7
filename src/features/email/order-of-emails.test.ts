import fc from 'fast-check';
import { beforeEach, describe, expect, test, beforeAll } from 'vitest';
import { eq } from 'drizzle-orm';
import { jobHandlers } from '~/app/jobs.server.ts';
import {
  applicationsByOrder,
  applicationById,
  type Application,
} from '~/features/application/store.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { TELL_AFTER_MS, queueUnpaidEmails } from '~/features/order/payer/remind-unpaid.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { runDueJobs, enqueue } from '~/platform/jobs/jobs.server.ts';
import type { EmailMessage } from '~/platform/mail/mail.server.ts';
import { languageCodes, preferredLanguageKey, type Language } from '~/base/languages.ts';
import { application as applicationTable } from '~/features/application/tables.server.ts';
import { refundOrder } from '~/features/desk/money/refunds.server.ts';
import {
  storedReceiptNumber,
  receiptsByOrder,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import { closeOrder, orderByNumber } from '~/features/order/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { useDatabase } from '../../../test/database.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import {
  makePayment,
  makeInsurance,
  makeApplication,
  makeOrder,
  seedSales,
  type Traveller,
} from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { claimEmail, markFailed, queueEmail } from './ledger/store.server.ts';
import { issueCertificate } from '~/features/insurance/certificate/certificate-job.server.ts';
import { linesByOrder } from '~/features/order/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { email } from './ledger/tables.server.ts';
import { emailJobs } from './jobs.server.ts';
import { previewDecision } from './preview.server.ts';

describe('order of emails', async () => {
  const database = await useDatabase({ poolSize: 16 });
  const service = await startTestService({ database, now: NOW });
  const { platform, payments } = service;
  const { db, pool, clock, log } = platform;
  const { place, start, pay, comeBack } = purchases(service);
  const staff = await storeStaff(platform);
  const manager = await storeStaff(platform, { role: 'manager' });
  beforeAll(() => seedAll(db, seeders, NOW));

  const REJECTED = /^About your application/;
  const REFUNDED = /^Your refund/;
  const RECEIVED = /^We’ve received/;
  const APPROVED = /^Your insurance is approved/;
  const ISSUED = /^Your insurance certificate is ready/;

  beforeEach(async () => {
    await pool.query('delete from graphile_worker._private_jobs; delete from email');
  });

  type Refuse = (message: EmailMessage) => number | null;

  /**
   * Runs all jobs by several workers at a time until none is left, as if every pause before another try were over.
   * `refuse`: the mail server's refusal, null where it takes a message. Returns what it took, in order.
   */
  async function runAll(workers: number, refuse: Refuse = () => null): Promise<EmailMessage[]> {
    const taken: EmailMessage[] = [];
    const send = async (message: EmailMessage) => {
      const responseCode = refuse(message);
      if (responseCode !== null) throw Object.assign(new Error('refused'), { responseCode });
      // Others may overtake it here.
      await new Promise((resolve) => setImmediate(resolve));
      taken.push(message);
    };
    const handlers = jobHandlers({ ...platform, mail: { ...platform.mail, send } }, payments);
    const run = () => runDueJobs({ pool, handlers, log });
    for (let turn = 0; turn < 80; turn += 1) {
      await Promise.all(Array.from({ length: workers }, run));
      clock.advance(1000);
      const { rowCount } = await pool.query(
        "update graphile_worker._private_jobs set run_at = now() - interval '1 s' where attempts < max_attempts",
      );
      if (rowCount === 0) return taken;
    }
    throw new Error('A job is never done');
  }

  /** Refuses the first messages with a subject, for now. */
  function refusing(subject: RegExp, times: number, code = 451): Refuse {
    let left = times;
    return (message) => (subject.test(message.subject) && left-- > 0 ? code : null);
  }

  const subjects = (messages: readonly EmailMessage[], ...wanted: RegExp[]) =>
    messages.flatMap((message) => wanted.filter((one) => one.test(message.subject)));

  /** A paid visa, whose receipt has left. */
  async function paidVisa() {
    const order = await place();
    await comeBack(await pay(await start(order)));
    await runAll(1);
    const [found] = await applicationsByOrder(db, order.number);
    return { order, found: needed(found) };
  }

  /** An e-visa and an adult's insurance of one traveller, paid, and the emails of that. */
  async function paidTogether() {
    const person = { firstName: 'Anna', email: 'anna@mail.example', dateOfBirth: '1988-04-12' };
    const { order } = await makeOrder(platform, { travellers: [{ ...person, plan: '30-days' }] });
    await comeBack(await pay(await start(order)));
    const emails = await runAll(2);
    const applications = await applicationsByOrder(db, order.number);
    return { orderNumber: order.number, applications, emails };
  }

  async function reject(applicationId: string) {
    const rejection = { kind: 'reject', code: 'details_differ', applicationId } as const;
    expect(await decideApplication(platform, staff, rejection)).toMatchObject({ ok: true });
  }

  describe('the email about a rejection', () => {
    test('tells of its refund, whatever fails and however many send', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 4 }),
          fc.integer({ min: 0, max: 4 }),
          async (workers, refusals) => {
            const { order, found } = await paidVisa();
            await reject(found.id);
            const taken = await runAll(workers, refusing(REJECTED, refusals));
            expect(taken).toHaveLength(1);
            expect(subjects(taken, REJECTED)).toEqual([REJECTED]);
            expect(taken[0]?.text).toContain('refund is $25.00');
            const [refund] = await refundsByOrder(db, order.id);
            expect(refund?.payment.state).toBe('completed');
          },
        ),
        { numRuns: 8 },
      );
    });

    test('does not tell of another refund', async () => {
      const { order, found } = await paidVisa();
      await reject(found.id);
      await runAll(1);
      clock.advance(1000);
      const [line] = await linesByOrder(db, order.id);
      const opened = await refundOrder(platform, manager, order, {
        choice: { cause: 'our_error', askedAt: platform.now(), applications: [found.number] },
        amounts: new Map([[needed(line).id, usd(5_00)]]),
        note: 'Compensation',
      });
      expect(opened).toMatchObject({ ok: true });
      expect(subjects(await runAll(1), REJECTED, REFUNDED)).toEqual([REFUNDED]);
    });
  });

  describe('a refund by staff that ends what it refunds', () => {
    test('is one email to the payer, whatever fails: what ended and why, how much and when', async () => {
      const { orderNumber, applications } = await paidTogether();
      const numbers = applications.map(({ number }) => number);
      const choice = {
        cause: 'cancelled',
        askedAt: platform.now(),
        applications: numbers,
      } as const;
      const order = needed(await orderByNumber(db, orderNumber));
      expect(await refundOrder(platform, manager, order, { choice })).toMatchObject({ ok: true });
      const [email, ...others] = await runAll(3, refusing(/^We’ve closed/, 2));
      expect(others).toEqual([]);
      expect(email?.subject).toMatch(/^We’ve closed this and will refund you: TRG /);
      expect(email?.text).toContain('The application was cancelled at your request.');
      expect(email?.text).toContain('in 5 to 10 business days');
      expect(email?.text).toContain(
        'Processing (standard): $25.00\n  Cancelled soon after payment',
      );
    });
  });

  describe('an adult’s insurance', () => {
    async function bought(paidAfterMs: number) {
      const placed = await makeInsurance(platform, { dateOfBirth: '1991-07-14' });
      clock.advance(paidAfterMs);
      await queueUnpaidEmails(platform);
      const before = await runAll(1);
      await makePayment(platform, placed);
      await queueUnpaidEmails(platform);
      return { before, after: await runAll(3, refusing(RECEIVED, 2)) };
    }

    test('that is paid at once is written about once, with receipt and certificate', async () => {
      const { before, after } = await bought(TELL_AFTER_MS - 1);
      expect(before).toEqual([]);
      expect(after).toHaveLength(1);
      expect(subjects(after, ISSUED)).toEqual([ISSUED]);
      expect(after[0]?.text).toContain('/en/download?token=');
      expect(after[0]?.text).toContain('/en/receipt?token=');
    });

    test('that is paid later was written about before', async () => {
      const { before, after } = await bought(TELL_AFTER_MS);
      expect(before).toHaveLength(1);
      expect(subjects(after, RECEIVED, APPROVED, ISSUED)).toEqual([ISSUED]);
    });

    test('bought with an e-visa is in the one email about the payment', async () => {
      const { emails } = await paidTogether();
      const [email, ...others] = emails;
      expect(others).toEqual([]);
      expect(email?.text).toContain('/en/download?token=');
      expect(email?.text).toContain('we’ll deliver the e-visa by');
    });

    test('whose certificate takes long is written about twice, neither lost', async () => {
      const placed = await makeInsurance(platform, { dateOfBirth: '1991-07-14' });
      await makePayment(platform, placed);
      const early = emailJobs(platform);
      platform.sent.length = 0;
      await platform.runJobs(early);
      expect(platform.sent).toEqual([]);
      clock.advance(5 * 60_000);
      await pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 s'");
      await platform.runJobs(early);
      expect(platform.sent.map(({ subject }) => subject)).toEqual([
        expect.stringMatching(RECEIVED),
      ]);
      expect(platform.sent[0]?.text).toContain('preparing your insurance certificate');
      expect(subjects(await runAll(2), RECEIVED, APPROVED)).toEqual([APPROVED]);
    });

    test('is told of its certificate once, if that is delivered while the receipt is being sent', async () => {
      const placed = await makeInsurance(platform, { dateOfBirth: '1991-07-14' });
      await makePayment(platform, placed);
      const [{ id } = { id: '' }] = await db.select({ id: email.id }).from(email);
      const now = platform.now();
      await claimEmail(
        db,
        { id, language: 'en' },
        { now, takenAfter: new Date(0), publicUrl: platform.config.publicUrl },
      );
      await issueCertificate(platform, { applicationId: placed.id });
      const rows = await db.select({ kind: email.kind }).from(email);
      expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['approved', 'received']);
      // The mail server does not take the receipt, which is then written anew.
      await markFailed(db, id, { at: now, failure: 'later' });
      const emails = await runAll(2);
      expect(subjects(emails, RECEIVED, APPROVED)).toEqual([RECEIVED, APPROVED]);
      expect(emails.filter(({ text }) => text.includes('/en/download?token='))).toHaveLength(1);
    });
  });
});

describe('refunded email', async () => {
  const service = await startTestService();
  const { platform } = service;
  const { place, payer, start, pay, comeBack } = purchases(service);
  const manager = await storeStaff(platform, { role: 'manager' });

  /** A card order of 94.00 whose processing price is refunded afterwards. */
  async function refunded() {
    const order = await place();
    await comeBack(await pay(await start(order)));
    await service.runJobs();
    platform.sent.length = 0;
    const choice = {
      cause: 'our_error' as const,
      askedAt: platform.now(),
      applications: [order.number],
    };
    const opened = await refundOrder(platform, manager, order, { choice });
    if (!opened.ok) throw new Error(opened.error.code);
    await service.runJobs();
    return { order, refundId: opened.value.refund.id };
  }

  describe('a refund', () => {
    test('has a credit note, and one e-mail that says what goes back, why, how and when', async () => {
      const { order, refundId } = await refunded();
      const again = { kind: 'refunded', about: refundId, createdAt: platform.now() } as const;
      await platform.db.transaction((tx) => queueEmail(tx, again));
      await enqueue(platform.db, 'order.refunded', { refundId });
      await service.runJobs();
      const [receipt, credit, ...others] = await receiptsByOrder(platform.db, order.id);
      expect(others).toEqual([]);
      expect(receipt && storedReceiptNumber(receipt)).toMatch(/^LR-2026-\d{6}$/);
      expect(credit).toMatchObject({
        kind: 'credit_note',
        refundId,
        facts: {
          totalMinor: 25_00,
          lines: [{ code: 'processing_fee', amountMinor: 25_00, reason: 'our_error' }],
          cardLast4: '1111',
          corrects: { number: receipt && storedReceiptNumber(receipt) },
        },
      });
      expect(platform.sent).toHaveLength(1);
      const [email] = platform.sent;
      expect(email?.to).toBe(order.customerEmail);
      expect(email?.subject).toMatch(/^Your refund: TRV /);
      const text = email?.text ?? '';
      expect(text).toContain('We’ve refunded $25.00 to your original payment method: card ending');
      expect(text).toContain('in 5 to 10 business days. Some banks need another 3 to 5');
      expect(text).toContain('Processing (standard): $25.00\n  Our mistake');
      expect(text).toContain(`Credit note: ${credit && storedReceiptNumber(credit)}`);
      expect(text).toContain('/en/receipt?token=');
    });
  });

  test('the emails of a child who ordered alone address a parent, also once the name was corrected', async () => {
    const child = { dateOfBirth: '2015-05-05' };
    const application = await makeApplication(platform, {
      paid: false,
      ...child,
      sessionHash: payer.sessionHash,
    });
    await comeBack(await pay(await start(application.order)));
    platform.sent.length = 0;
    await service.runJobs();
    await platform.db
      .update(applicationTable)
      .set({ firstName: 'Tahbo' })
      .where(eq(applicationTable.id, application.id));
    const rejection = {
      kind: 'reject',
      code: 'details_differ',
      applicationId: application.id,
    } as const;
    expect(await decideApplication(platform, manager, rejection)).toMatchObject({ ok: true });
    await service.runJobs();
    expect(platform.sent.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^We’ve received/),
      expect.stringMatching(/^About the application for T/),
    ]);
    for (const { text } of platform.sent) {
      expect(text).toContain('Dear parent or guardian of T');
      expect(text).not.toMatch(/Dear (?!parent)/);
    }
  });
});

describe('rejected email', async () => {
  const platform = await makeTestPlatform({ now: NOW });
  const { db } = platform;
  const staff = await storeStaff(platform);

  beforeAll(() => seedSales(platform));

  async function sent() {
    platform.sent.length = 0;
    await platform.runJobs(emailJobs(platform));
    return [...platform.sent];
  }

  const reject = ({ id }: Application) =>
    decideApplication(platform, staff, {
      kind: 'reject',
      applicationId: id,
      code: 'details_differ',
      reason: 'The birth date',
    });

  async function place(travellers: readonly Traveller[], language = 'en') {
    const placed = await makeOrder(platform, {
      travellers,
      headers: {
        cookie: `${preferredLanguageKey}=${language}`,
      },
    });
    await sent();
    return { ...placed, first: needed(placed.visas[0]), second: needed(placed.visas[1]) };
  }

  const dueNow = async (number: string, language: Language = 'en') =>
    formatMoney(usd(needed(await orderByNumber(db, number)).amountMinor), language);

  describe('a traveller of an unpaid order who is rejected', () => {
    test.each(languageCodes)(
      'is told of in one e-mail to the payer, with the reason, what is due now and the link to pay (%s)',
      async (language) => {
        const { order, first, second, insurances } = await place(
          [{ firstName: 'Anna' }, { firstName: 'Bela', plan: '30-days' }],
          language,
        );
        await reject(second);
        const [message, ...others] = await sent();
        expect(others).toEqual([]);
        const { text, html, to, subject } = needed(message);
        expect(to).toBe(order.customerEmail);
        expect(subject).toContain(formatNumber(second.number));
        expect(subject).toContain(`Bela ${second.lastName}`);
        expect(text).toContain(`Bela ${second.lastName}`);
        expect(text).toContain('The birth date');
        expect(text).toContain(formatNumber(second.number));
        expect(text).toContain(formatNumber(needed(insurances.get(2)).number));
        expect(text).not.toContain(formatNumber(first.number));
        expect(text).toContain(await dueNow(order.number, language));
        expect(text).toContain(`${platform.config.publicUrl}/${language}/my-order/`);
        expect(html + text).not.toMatch(/\{\{|undefined|NaN|\bemail:/);
      },
    );

    test('says nothing of what is due once the order is closed', async () => {
      const { order, second } = await place([{ firstName: 'Anna' }, { firstName: 'Bela' }]);
      await reject(second);
      await db.transaction((tx) => closeOrder(tx, order.number, platform.now()));
      const [message] = await sent();
      expect(message?.text).toContain('so we’ve closed it');
      expect(message?.text).not.toContain('/my-order/');
    });

    test('who has an address of their own hears the reason, and only the payer what is due', async () => {
      const { order, second } = await place([
        { firstName: 'Anna' },
        { firstName: 'Bela', email: 'bela@example.org' },
      ]);
      await reject(second);
      const messages = await sent();
      expect(messages.map(({ to }) => to).toSorted()).toEqual(
        ['bela@example.org', order.customerEmail].toSorted(),
      );
      const [own] = messages.filter(({ to }) => to === 'bela@example.org');
      const [payers] = messages.filter(({ to }) => to !== 'bela@example.org');
      expect(own?.text).toContain('The birth date');
      for (const withheld of ['/my-order/', 'refund', await dueNow(order.number)]) {
        expect(own?.text).not.toContain(withheld);
      }
      expect(payers?.text).toContain('The birth date');
      expect(payers?.text).toContain(await dueNow(order.number));
      expect(payers?.text).toContain('/my-order/');
    });

    test('is shown to whoever decides as the payer will read it, without the payer’s link', async () => {
      const { order, second } = await place([{ firstName: 'Anna' }, { firstName: 'Bela' }]);
      const planned = {
        kind: 'reject',
        fileId: null,
        rejectionCode: 'details_differ',
        words: null,
      } as const;
      const shown = await previewDecision(platform, second, planned);
      expect(shown.to).toBe(order.customerEmail);
      await reject(second);
      expect(shown.html).toContain(await dueNow(order.number));
      expect(shown.html).not.toContain('/my-order/');
    });

    test('is not in the e-mails about the order any more', async () => {
      const { order, first, second } = await place([{ firstName: 'Anna' }, { firstName: 'Bela' }]);
      await reject(second);
      await sent();
      await makePayment(platform, order);
      const [message] = await sent();
      expect(message?.text).toContain(formatNumber(first.number));
      expect(message?.text).not.toContain(formatNumber(second.number));
      expect((await applicationById(db, second.id))?.paidAt).toBeNull();
    });
  });
});
