import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seeders } from '~/app/composition/seeders.server.ts';
import { languageCodes, textDirection } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { changeEmail } from '~/features/application/change-email.server.ts';
import { sendCorrectionReminders } from '~/features/application/correction/correction-store.server.ts';
import { askNumbers } from '~/features/status/ask-numbers.server.ts';
import {
  applicationsByOrder,
  type Application,
  applicationById,
} from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { cancellationView, cancelApplications } from '~/features/status/cancel.server.ts';
import {
  askCorrection,
  withdrawCorrection,
} from '~/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import {
  remindUnpaid,
  TELL_AFTER_MS,
  queueUnpaidEmails,
} from '~/features/order/payer/remind-unpaid.server.ts';
import { receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import type { EmailMessage } from '~/platform/mail/mail.server.ts';
import { refundMissedPromises } from '~/features/status/missed-promises.server.ts';
import { applyCorrection } from '~/features/application/reopened.server.ts';
import { emailRecipient } from '~/features/application/recipient.ts';
import { emailHtml } from '~/features/email/layout/email-html.tsx';
import { emailText } from '~/features/email/layout/content.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { cancelledTravellerEmail } from '~/features/email/kinds/cancelled.server.ts';
import { correctionEndedEmail } from '~/features/email/kinds/correction.server.ts';
import { emailWords } from '~/features/email/kinds/kind.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { lateEmail } from '~/features/email/kinds/late.server.ts';
import { newBrowser } from './browser.ts';
import { applicationCorrections, makeOrder, makeApplication, uploadPdf } from './make.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import { needed } from './needed.ts';
import { makeTestPlatform } from './platform.ts';

describe('group emails', async () => {
  const service = await startTestService({ now: NOW });
  const { platform, payments } = service;
  const app = makeTestApp(platform, payments);
  const { start, pay, comeBack } = purchases(service);
  const { db } = platform;

  let staff: Awaited<ReturnType<typeof storeStaff>>;
  beforeAll(async () => {
    await seedAll(db, seeders, NOW);
    staff = await storeStaff(platform);
  });
  beforeEach(() => {
    platform.sent.length = 0;
  });

  const DAY_MS = 24 * 3600_000;
  const [ANNA, BELA] = ['anna@mail.example', 'bela@mail.example'];

  async function sent(): Promise<EmailMessage[]> {
    platform.sent.length = 0;
    await service.runJobs();
    return [...platform.sent];
  }

  async function family(language = 'en', isPaid = true) {
    const made = await makeOrder(platform, { headers: { 'accept-language': language } });
    if (isPaid) await comeBack(await pay(await start(made.order)));
    const orderNumber = made.order.number;
    const held = await applicationsByOrder(db, orderNumber);
    const of = (name: string, kind: Application['kind'] = 'visa') =>
      needed(held.find((one) => one.firstName === name && one.kind === kind));
    return { ...made, orderNumber, held, of };
  }

  type Family = Awaited<ReturnType<typeof family>>;

  const events = {
    approve: async ({ id }: Application) =>
      decideApplication(platform, staff, {
        kind: 'approve',
        applicationId: id,
        fileId: await uploadPdf(platform, staff),
      }),
    reject: ({ id }: Application) =>
      decideApplication(platform, staff, { kind: 'reject', applicationId: id, code: 'duplicate' }),
    correct: ({ id, kind }: Application) =>
      askCorrection(platform, staff, {
        applicationId: id,
        fields: [kind === 'visa' ? 'passportNumber' : 'firstName'],
        note: 'See page 2',
      }),
  };

  describe('who is written to', () => {
    // What is corrected is approved afterwards; the rejected one is of another family.
    let approved: Family;
    let rejected: Family;
    beforeAll(async () => {
      [approved, rejected] = [await family(), await family()];
      await service.runJobs();
    });

    test.each([
      ['Anna', 'visa', ANNA, 'Dear Anna Nkosi,', false],
      ['Bela', 'visa', BELA, 'Dear Bela Nkosi,', false],
      ['Carl', 'visa', ANNA, 'Dear Anna Nkosi,', true],
      ['Dora', 'visa', ANNA, 'Dear Anna Nkosi,', true],
      ['Carl', 'insurance', ANNA, 'Dear Anna Nkosi,', true],
    ] as const)(
      'about %s’s %s: one e-mail for each event, to %s',
      async (name, kind, to, greeting, isForChild) => {
        for (const event of ['correct', 'approve', 'reject'] as const) {
          const { of } = event === 'reject' ? rejected : approved;
          const result = await events[event](of(name, kind));
          expect(result.ok, JSON.stringify(result)).toBe(true);
          const all = await sent();
          // Of a refund that the traveller does not get the payer alone hears.
          const isPayersRefund = ({ subject }: EmailMessage) => subject.startsWith('Your refund');
          const mails = all.filter((mail) => to === ANNA || !isPayersRefund(mail));
          const recipients = mails.map((mail) => mail.to);
          expect(recipients, event).toEqual([to]);
          if (to !== ANNA) expect(mails[0]?.text).not.toMatch(/refund/i);
          const { subject, text } = needed(mails[0]);
          expect(text).toContain(greeting);
          expect(`${subject}\n${text}`.includes(`${name} Nkosi`), event).toBe(true);
          expect(subject.includes(`${name} Nkosi`), event).toBe(isForChild);
          if (event === 'approve' && kind === 'visa') {
            const whose = isForChild ? `${name} Nkosi’s` : 'your';
            expect(text).toContain(`matches ${whose} passport`);
          }
        }
      },
    );

    test('about an insured adult: the traveller, once the certificate is there', async () => {
      await family();
      const mails = await sent();
      const certificates = mails.filter(({ subject }) => subject.includes('insurance'));
      expect(certificates.map(({ to }) => to)).toEqual([BELA]);
    });

    test('about what the payer cancels: the payer of all, a fellow traveller of their own', async () => {
      const { orderNumber, of } = await family();
      await sent();
      const order = needed(await orderByNumber(db, orderNumber));
      const { sessionHash } = newBrowser(platform);
      await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
      // The insurance is approved by now: the traveller must know that its cover has ended.
      const numbers = [of('Bela').number, of('Bela', 'insurance').number, of('Carl').number];
      const asked = { ref: orderNumber, applications: numbers, isChosen: true, done: null };
      const quote = await cancellationView(platform, asked, sessionHash);
      if (quote?.kind !== 'quote') throw new Error(quote?.kind);
      const { id, shown } = quote;
      const wanted = { id, shown, orderNumber, numbers, sessionHash };
      expect((await cancelApplications(platform, wanted)).ok).toBe(true);
      const mails = (await sent()).filter(({ subject }) => subject.startsWith('Cancelled'));
      expect(mails.map(({ to }) => to).toSorted()).toEqual([ANNA, BELA, BELA]);
      const toBela = mails.flatMap(({ to, text }) => (to === BELA ? [text] : [])).join('\n');
      for (const sentence of [
        'has cancelled this e-visa application',
        'There is no cover, and the certificate is not valid',
      ]) {
        expect(toBela).toContain(sentence);
      }
      expect(toBela).not.toMatch(/rejected|at your request|\$/);
      expect(toBela).not.toContain('Anna');
    });

    test('about the whole order: the payer alone, once for each event', async () => {
      const { orderNumber, held } = await family('en', false);
      platform.clock.advance(TELL_AFTER_MS);
      await queueUnpaidEmails(platform);
      const [placed, ...more] = await sent();
      expect(more).toEqual([]);
      // Bela's insurance needs no reviewer, Carl's does.
      expect(placed?.text).toContain('check the insurance application of each traveller under 18');
      expect(placed?.text).toContain('links to the other certificates');
      expect(placed?.to).toBe(ANNA);
      platform.clock.advance(DAY_MS + 1000);
      await remindUnpaid(platform);
      const reminders = (await sent()).filter(({ text }) => text.includes(written(orderNumber)));
      expect(reminders.map(({ to, subject }) => [to, subject.includes('your order')])).toEqual([
        [ANNA, true],
      ]);
      await comeBack(await pay(await start(needed(await orderByNumber(db, orderNumber)))));
      const received = (await sent()).filter(({ subject }) => subject.includes('We’ve received'));
      expect(received.map(({ to }) => to)).toEqual([ANNA]);
      for (const { text } of [needed(placed), ...reminders, ...received]) {
        const plain = text.replaceAll('\u00a0', ' ');
        for (const { number, firstName } of held) {
          expect(plain).toContain(written(number));
          expect(plain).toContain(`${firstName} Nkosi`);
        }
      }
    });

    test('who asks for lost numbers: the payer of all with names, a fellow traveller of their own', async () => {
      const { orderNumber, held } = await family();
      await sent();
      const asked = async (email: string) => {
        await askNumbers(platform, { email, address: '192.0.2.9', language: 'en' });
        const [mail] = await sent();
        return needed(mail).text;
      };
      const payers = await asked(ANNA);
      expect(payers).toContain(`${written(orderNumber)}: order for 4 travellers. http`);
      for (const { number, firstName } of held) {
        expect(payers).toMatch(new RegExp(`${firstName}: .*${written(number)}`));
      }
      const fellows = await asked(BELA);
      for (const { number, firstName } of held) {
        expect(fellows.includes(written(number))).toBe(firstName === 'Bela');
      }
      expect(fellows).not.toContain(written(orderNumber));
      expect(fellows).not.toContain('Nkosi');
    });
  });

  test('the ready-by time is said once where all e-visas share it', async () => {
    await family();
    const received = needed((await sent()).find(({ subject }) => /We’ve received/.test(subject)));
    expect(received.text).toMatch(/deliver all e-visas by .* UTC/);
    expect(
      received.text.match(/deliver (it|all e-visas) by|issue the certificate by/g),
    ).toHaveLength(2);
  });

  test('receipt and credit note name the travellers', async () => {
    const { orderNumber, of, held } = await family();
    await sent();
    await events.reject(of('Carl', 'insurance'));
    const mails = await sent();
    const { id } = needed(await orderByNumber(db, orderNumber));
    const [receipt, note] = await receiptsByOrder(db, id);
    const named = (issued: typeof receipt) =>
      needed(issued).facts.lines.map(({ applicationNumber, traveller }) => [
        applicationNumber,
        traveller?.position,
        traveller?.name,
      ]);
    const ofOrder = held.map((one) => [
      one.number,
      one.travellerPosition,
      `${one.firstName} Nkosi`,
    ]);
    for (const one of ofOrder) expect(named(receipt)).toContainEqual(one);
    expect(named(note)).toEqual([[of('Carl', 'insurance').number, 3, 'Carl Nkosi']]);
    // The rejection and its refund are told in one.
    const [refund, ...more] = mails;
    expect(more).toEqual([]);
    expect(refund?.to).toBe(ANNA);
    expect(refund?.text).toContain('refund is $149.00');
  });

  test('what went to the payer about a child opens nothing once the payer’s address was corrected', async () => {
    const { of } = await family();
    const dora = of('Dora');
    await sent();
    await events.approve(dora);
    const { html } = needed((await sent())[0]);
    const link = /\/en\/download\?token=[^"]+/.exec(html)?.[0] ?? '';
    const open = async () => (await app.request(link)).status;
    expect(await open()).toBe(302);
    await db.transaction((tx) => changeEmail(tx, of('Anna').id, 'anna.nkosi@mail.example'));
    expect(await open()).toBe(410);
  });

  test.each(languageCodes)(
    'in %s every e-mail of a family is whole: no key, no placeholder, the number in text and HTML',
    async (language) => {
      const { orderNumber, of } = await family(language);
      const mails = await sent();
      await events.approve(of('Anna'));
      await events.approve(of('Dora'));
      await events.reject(of('Carl', 'insurance'));
      await events.correct(of('Carl'));
      mails.push(...(await sent()));
      platform.clock.advance(4 * DAY_MS);
      await sendCorrectionReminders(platform);
      mails.push(...(await sent()));
      const [stored] = await db.select().from(order).where(eq(order.number, orderNumber));
      expect(stored?.language).toBe(language);
      expect(mails.length).toBeGreaterThanOrEqual(6);
      for (const { subject, text, html } of mails) {
        expect(`${subject}${text}`).not.toMatch(/[{}]|(member|several)\.\w|undefined|null/);
        expect(html).not.toMatch(/\{\{|(member|several)\.\w|undefined/);
        expect(text).toMatch(/TR[VIG] \w{4} \w{4} \w{4} \w/);
      }
    },
  );

  const written = (number: string) =>
    number.replace(/^(.{3})(.{4})(.{4})(.{4})(.)$/, '$1 $2 $3 $4 $5');
});

describe('change emails', async () => {
  const platform = await makeTestPlatform();
  const { db, clock, sent } = platform;
  const staff = await storeStaff(platform);
  const jobs = emailJobs(platform);
  const HOUR = 3600_000;

  /** The emails of what has happened since the last call. */
  async function written() {
    sent.length = 0;
    await platform.runJobs(jobs);
    return [...sent];
  }

  /** A paid application of which a correction was asked, and the traveller told. */
  async function asked() {
    const { id } = await makeApplication(platform, {
      promisedAt: new Date(platform.now().getTime() + HOUR),
    });
    const wanted = { applicationId: id, fields: ['phone'], note: 'The number is too short' };
    expect((await askCorrection(platform, staff, wanted)).ok).toBe(true);
    await written();
    const [correction] = await applicationCorrections(db, id);
    return { id, correction: needed(correction) };
  }

  /** An answer whose own rules do not matter here. */
  const answer = (correction: Awaited<ReturnType<typeof asked>>['correction']) =>
    applyCorrection(
      platform,
      correction,
      {},
      {
        check: async () => ({
          problems: [],
          changes: [{ field: 'phone', before: '1', after: '2' }],
          store: async () => undefined,
        }),
      },
    );

  describe('a correction', () => {
    test('that was answered is confirmed once, with the moved promise', async () => {
      const { id, correction } = await asked();
      clock.advance(24 * HOUR);
      expect(await answer(correction)).toEqual({ kind: 'done' });
      const [email, ...others] = await written();
      expect(others).toEqual([]);
      expect(email?.subject).toMatch(/^We’ve received the corrections: TRV /);
      const words = emailWords(await withOperator(platform), 'en');
      const promisedAt = needed((await applicationById(db, id))?.promisedAt);
      expect(email?.text).toContain(words.moment(promisedAt));
    });

    test('that staff withdraw is no longer waited for', async () => {
      const { id } = await asked();
      expect((await withdrawCorrection(platform, staff, id)).ok).toBe(true);
      expect((await written()).map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/^No corrections are needed any more: /),
      ]);
    });

    test('that nobody answered in time is said to be over', async () => {
      const { id } = await asked();
      clock.advance(29 * 24 * HOUR);
      await sendCorrectionReminders(platform);
      expect((await applicationById(db, id))?.pausedAt).toBeNull();
      const subjects = (await written()).map(({ subject }) => subject);
      expect(subjects).toContainEqual(
        expect.stringMatching(/^We’re continuing without the corrections: /),
      );
    });

    test('that a decision ended is not written about: the decision is', async () => {
      const { id, correction } = await asked();
      await answer(correction);
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: id,
        reason: 'Unreadable',
      });
      expect((await written()).map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/^About your application/),
      ]);
    });
  });

  describe('a missed promise', () => {
    const due = (ms: number) => new Date(platform.now().getTime() + ms);
    const GRACE = 61_000;

    test('is told once, with the refund, and the refund is not told again', async () => {
      await makeApplication(platform, { email: 'late@example.org', promisedAt: due(HOUR) });
      await written();
      await refundMissedPromises(platform);
      expect(await written()).toEqual([]);
      clock.advance(HOUR + GRACE);
      await refundMissedPromises(platform);
      await refundMissedPromises(platform);
      const [email, ...others] = (await written()).filter(({ to }) => to === 'late@example.org');
      expect(others).toEqual([]);
      expect(email?.subject).toMatch(/^We missed the ready-by time: TRV /);
      expect(email?.text).toContain('to your original payment method: $25.00.');
      expect(email?.text).toContain('5 to 10 business days');
      await refundMissedPromises(platform);
      expect(await written()).toEqual([]);
    });

    test('is not told of what is decided in time, unpaid or paused', async () => {
      const decided = await makeApplication(platform, {
        email: 'quiet@example.org',
        promisedAt: due(HOUR),
      });
      const fileId = await uploadPdf(platform, staff);
      const approval = { kind: 'approve', applicationId: decided.id, fileId } as const;
      await decideApplication(platform, staff, approval);
      await makeApplication(platform, { email: 'quiet@example.org', paid: false });
      const { id } = await makeApplication(platform, {
        email: 'quiet@example.org',
        promisedAt: due(HOUR),
      });
      const wanted = { applicationId: id, fields: ['phone'], note: 'The number is too short' };
      await askCorrection(platform, staff, wanted);
      await written();
      clock.advance(2 * HOUR);
      await refundMissedPromises(platform);
      expect((await written()).filter(({ to }) => to === 'quiet@example.org')).toEqual([]);
    });

    test('that was decided before the email left is told for its refund, without a promise to go on', async () => {
      const { id } = await makeApplication(platform, { promisedAt: due(-GRACE) });
      await written();
      await refundMissedPromises(platform);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      const emails = await written();
      expect(emails.map(({ subject }) => subject).toSorted()).toEqual([
        expect.stringMatching(/^We missed the ready-by time/),
        expect.stringMatching(/approved/),
      ]);
      expect(emails.some(({ text }) => text.includes('still working'))).toBe(false);
    });

    test('of an insurance is told without a refund, and not once it is decided', async () => {
      const told = await makeApplication(platform, { kind: 'insurance', promisedAt: due(-GRACE) });
      const over = await makeApplication(platform, { kind: 'insurance', promisedAt: due(-GRACE) });
      await written();
      await refundMissedPromises(platform);
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: over.id,
        reason: 'Unreadable',
      });
      const late = (await written()).filter(({ subject }) => subject.startsWith('We missed'));
      expect(late).toHaveLength(1);
      expect(late[0]?.subject).toContain(told.number.slice(3, 7));
      expect(late[0]?.text).toContain('We’re still working on the application');
      expect(late[0]?.text).not.toContain('$');
    });
  });

  describe.each(languageCodes)('in %s', (code) => {
    const drawn = async (
      write: (
        words: ReturnType<typeof emailWords>,
        about: Parameters<typeof cancelledTravellerEmail>[1],
      ) => ReturnType<typeof lateEmail>,
      given: Partial<Application> = {},
    ) => {
      const stored = needed(await applicationById(db, (await makeApplication(platform)).id));
      const order = needed(await orderByNumber(db, stored.orderNumber));
      const application = { ...stored, ...given };
      const words = emailWords(await withOperator(platform), code);
      const content = write(words, { application, recipient: emailRecipient(application, order) });
      expect(emailHtml(content, '')).toContain(`dir="${textDirection(code)}"`);
      const text = `${content.subject} ${content.preview} ${emailText(content)}`;
      expect(text).not.toMatch(/\b(correctionEnded|late|cancelledTraveller)\.\w|\{\{/);
      return text;
    };

    test.each(['answered', 'withdrawn', 'expired'] as const)(
      'a correction that was %s',
      async (end) => {
        await drawn((words, about) =>
          correctionEndedEmail(words, { ...about, end, now: new Date(0) }),
        );
      },
    );

    test.each(['visa', 'insurance'] as const)(
      'a missed promise and a cancellation: %s',
      async (kind) => {
        const promisedAt = platform.now();
        for (const refund of [usd(25_00), null]) {
          const text = await drawn(
            (words, about) => lateEmail(words, { ...about, promisedAt, refund }),
            { kind },
          );
          expect(/25[.,]00/.test(text)).toBe(refund !== null);
        }
        await drawn(cancelledTravellerEmail, { kind });
      },
    );
  });
});
