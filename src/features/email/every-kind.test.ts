import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { askNumbers } from '~/features/status/ask-numbers.server.ts';
import { applicationsByOrder, currentDocument } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { refundMissedPromises } from '~/features/status/missed-promises.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { cancellationView, cancelApplications } from '~/features/status/cancel.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import {
  askCorrection,
  withdrawCorrection,
} from '~/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { sendMessage } from '~/features/desk/application/send-message.server.ts';
import { refundOrder } from '~/features/desk/money/refunds.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { adultForm, formRequest, visitor } from '~/features/insurance/testing/visit.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { settle } from '~/features/payment/settlement/settle.server.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { invite } from '~/features/staff/accounts/invitation.server.ts';
import { askReset } from '~/features/staff/accounts/reset.server.ts';
import { accountById } from '~/features/staff/store.server.ts';
import { insuranceJobs } from '~/features/insurance/certificate/certificate-job.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import {
  applicationCorrections,
  makeApplication,
  makeInsurance,
  makeOrder,
  uploadPdf,
  type ApplicationOptions,
} from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs, isEmailKind, kinds } from './jobs.server.ts';
import { emailWords } from './kinds/kind.server.ts';
import { emailText, type EmailContent, type EmailSection } from './layout/content.server.ts';
import { queueEmail, SEND_JOB, insertEmail } from './ledger/store.server.ts';
import type { ApplicationEmailKind, EmailKind, JobEmailKind } from './ledger/tables.server.ts';

/** The most words of an English email before its footer, however much there is to say. */
const MAX_WORDS = 120;
/** Other languages may need so many more. */
const MAX_WORDS_TRANSLATED = 138;

const countWords = (content: EmailContent): number =>
  needed(emailText(content).split('\n--\n')[0]).trim().split(/\s+/).length;

describe('every kind', async () => {
  const service = await startTestService({ now: NOW });
  const { platform, payments } = service;
  const { db } = platform;
  const { payer, start, pay, comeBack } = purchases(service);

  /** Whose application each email is about, with a supporting document, as those say the most. */
  let person: ApplicationOptions = {};
  const make = (options: ApplicationOptions = {}) =>
    makeApplication(platform, { supportingDocumentNumber: 'C01234567', ...person, ...options });
  /** An e-visa and an adult's insurance in one order; a child's has a reviewer. */
  async function makeBoth(paid: boolean) {
    const { firstName = 'Anna', dateOfBirth = '1988-04-12' } = person;
    const traveller = { firstName, dateOfBirth, email: 'anna@mail.example', plan: '14-days' };
    const { order } = await makeOrder(platform, { travellers: [traveller], paid });
    if (paid) await platform.runJobs(insuranceJobs(platform));
    return order.number;
  }
  const [reviewer, manager, administrator] = await Promise.all(
    (['reviewer', 'manager', 'administrator'] as const).map((role) =>
      storeStaff(platform, { role }),
    ),
  ).then(([one, two, three]) => [needed(one), needed(two), needed(three)] as const);

  beforeAll(() => seedAll(db, seeders, NOW));

  const paidCase = async () => (await make()).id;

  async function reject(id: string) {
    const rejection = { code: 'details_differ', reason: 'The date of birth is another.' } as const;
    const decision = { kind: 'reject', applicationId: id, ...rejection } as const;
    expect(await decideApplication(platform, reviewer, decision)).toMatchObject({ ok: true });
    return id;
  }

  async function approved() {
    const { id } = await make();
    const fileId = await uploadPdf(platform, reviewer);
    await decideApplication(platform, reviewer, { kind: 'approve', applicationId: id, fileId });
    return id;
  }

  async function corrected(isWithdrawn = false) {
    const { id } = await make();
    await askCorrection(platform, reviewer, {
      applicationId: id,
      fields: ['passportNumber', 'passportExpiryDate'],
      note: 'The passport number and its expiry date are different from the photo.',
    });
    if (isWithdrawn) await withdrawCorrection(platform, reviewer, id);
    return needed((await applicationCorrections(db, id))[0]).id;
  }

  async function refunded() {
    const { order } = await make({ paid: false, sessionHash: payer.sessionHash });
    await comeBack(await pay(await start(order)));
    await service.runJobs();
    const opened = await refundOrder(platform, manager, order, {
      choice: { cause: 'our_error', askedAt: platform.now(), applications: [order.number] },
    });
    if (!opened.ok) throw new Error(opened.error.code);
    await service.runJobs();
    return opened.value.refund.id;
  }

  async function cancelled() {
    const orderNumber = await makeBoth(true);
    const { id: orderId } = needed(await orderByNumber(db, orderNumber));
    const numbers = (await applicationsByOrder(db, orderNumber)).map(({ number }) => number);
    const { sessionHash } = newBrowser(platform);
    await addPayerDevice(db, { orderId, sessionHash, createdAt: platform.now() });
    const asked = { ref: orderNumber, applications: numbers, isChosen: true, done: null };
    const view = await cancellationView(platform, asked, sessionHash);
    if (view?.kind !== 'quote') throw new Error(view?.kind);
    const { id, shown } = view;
    const press = { id, shown, orderNumber, numbers, sessionHash };
    expect(await cancelApplications(platform, press)).toMatchObject({ ok: true });
    return id;
  }

  async function held() {
    const { order } = await make({ paid: false });
    const attemptId = await db.transaction((tx) =>
      storeAttempt(tx, order, platform.now(), { provider: 'paypal' }),
    );
    const said = {
      eventId: randomUUID(),
      attemptId,
      event: 'hold',
      amount: usd(94_00),
      providerReference: null,
      captureId: null,
      reason: null,
      payload: {},
    } as const;
    await settle(platform, 'paypal', said, payments.onPaid);
    return attemptId;
  }

  /** Lets an email about applications have something to say; returns its subject. */
  const subjects: Record<ApplicationEmailKind, () => Promise<string>> = {
    approved,
    cancelled,
    cancelled_traveller: paidCase,
    copy: paidCase,
    correction: corrected,
    correction_ended: () => corrected(true),
    correction_reminder: corrected,
    date_locked: approved,
    document: async () => needed(await currentDocument(db, await approved())).id,
    held,
    late: async () => {
      const promisedAt = new Date(platform.now().getTime() - 2 * 60_000);
      const { order } = await make({ promisedAt });
      await refundMissedPromises(platform);
      return needed((await refundsByOrder(db, order.id))[0]).refund.id;
    },
    message: async () => {
      const id = randomUUID();
      const applicationId = await paidCase();
      const text = 'Tomorrow: https://lale.example/status';
      const message = { id, applicationId, text, seenUntil: platform.now() };
      expect(await sendMessage(platform, reviewer, message)).toMatchObject({ ok: true });
      return id;
    },
    paid_closed: async () => (await make()).orderNumber,
    processing: async () => {
      const { id } = await make();
      await decideApplication(platform, reviewer, { kind: 'start_processing', applicationId: id });
      return id;
    },
    received: () => makeBoth(true),
    refunded,
    rejected: async () => reject(await paidCase()),
    rejected_payer: async () => {
      const { firstName = 'Anna', dateOfBirth = '1988-04-12' } = person;
      const travellers = [
        { firstName, dateOfBirth, email: 'anna@mail.example' },
        { firstName: 'Bela', email: 'bela@mail.example', dateOfBirth: '1986-01-30' },
      ];
      const { visas } = await makeOrder(platform, { travellers });
      return reject(needed(visas[1]).id);
    },
    returned: refunded,
    unpaid: () => makeBoth(false),
    unpaid_reminder: () => makeBoth(false),
  };

  /** Asks for an email that a job sends; returns the job's payload where it is not queued. */
  const requests: Record<JobEmailKind, () => Promise<object | undefined>> = {
    feast_ahead: async () => ({ accountId: manager.id, feast: 'ramazan', first: '2027-03-09' }),
    invitation: async () => {
      const typed = {
        email: 'new@lale.example',
        name: 'N. Kaya',
        role: 'reviewer',
        language: 'en',
      } as const;
      expect(await invite(platform, administrator, typed)).toMatchObject({ ok: true });
    },
    numbers: async () => {
      // Two: each further application adds a line.
      const email = 'zodwa@mail.example';
      for (const paid of [true, false]) await makeApplication(platform, { email, paid });
      await askNumbers(platform, { email, address: '192.0.2.1', language: 'en' });
    },
    operator_alert: async () => ({
      accountId: administrator.id,
      about: 'late:2026-11-23',
      cause: 'late',
      number: 3,
      partner: '',
    }),
    password_reset: async () => {
      const { email } = needed(await accountById(db, reviewer.id));
      await askReset(platform, { email, address: '192.0.2.1', language: 'en' });
    },
    price_change: async () => ({
      accountId: administrator.id,
      section: 'visa_prices',
      what: 'proposed',
      change: 1,
      by: manager.id,
      language: 'en',
    }),
    resume: async () => {
      const visit = visitor(makeTestApp(platform, payments))();
      await visit(
        '/insurance',
        formRequest({ ...adultForm, intent: 'later', saveEmail: 'a@mail.example' }),
      );
    },
    weekly_figures: async () => ({
      accountId: administrator.id,
      about: '2026-11-16',
      monday: '2026-11-16',
    }),
  };

  const isAboutApplications = (kind: EmailKind): kind is ApplicationEmailKind =>
    Object.hasOwn(subjects, kind);

  async function find(kind: EmailKind) {
    if (isAboutApplications(kind)) return kinds[kind].find(platform, await subjects[kind]());
    const given = await requests[kind]();
    for (const [job, read] of Object.entries(kinds[kind].jobs)) {
      const payloads: unknown[] = given ? [given] : [];
      await platform.runJobs({ [job]: (payload) => void payloads.push(payload) });
      if (payloads.length > 0) return read(platform, payloads[0]);
    }
    return null;
  }

  /** The texts that have words of their own in every language. */
  const sentences = (content: EmailContent): string[] => [
    content.subject,
    content.preview,
    content.heading,
    content.greeting,
    ...content.paragraphs,
    ...(content.numbers ? [content.numbers.label] : []),
    content.button.label,
    ...(content.note === null ? [] : [content.note]),
    ...content.sections.map(({ title }) => title),
    ...content.closing,
    content.footer.privateService,
    content.footer.privacy.text,
  ];

  /** The texts that may be the same in two languages. */
  const details = ({ sections }: EmailContent): string[] =>
    sections.flatMap((section) => {
      if (section.kind === 'quote') return [];
      if (section.kind === 'list') {
        return section.items.map((item) => (typeof item === 'string' ? item : item.text));
      }
      const rows = [...section.rows, section.total, ...section.facts];
      return rows.flatMap(({ label, note = [] }) => [label].concat(note));
    });

  describe.each(Object.keys(kinds).filter(isEmailKind))('the e-mail “%s”', (kind) => {
    test('has its words in every language', async () => {
      const found = needed(await find(kind));
      const operated = await withOperator(platform);
      const write = async (code: string) => found.write(emailWords(operated, code));
      const english = sentences(await write('en'));
      for (const code of languageCodes) {
        const content = await write(code);
        for (const text of sentences(content)) {
          expect(text.trim(), code).not.toBe('');
          if (code !== 'en') expect(english, `English in ${code}`).not.toContain(text);
        }
        // A missing text is its key.
        for (const text of [...sentences(content), ...details(content)]) {
          expect(text, code).not.toMatch(/^[\w-]+(\.[\w-]+)+$/);
        }
        expect(emailText(content), code).not.toMatch(/\{\{|undefined|NaN|\[object/);
      }
    });

    test('is short in every language', async () => {
      const found = needed(await find(kind));
      const operated = await withOperator(platform);
      for (const code of languageCodes) {
        const content = await found.write(emailWords(operated, code));
        const limit = code === 'en' ? MAX_WORDS : MAX_WORDS_TRANSLATED;
        expect(countWords(content), code).toBeLessThanOrEqual(limit);
      }
    });
  });

  test('one about several travellers is short, too, but for what it lists of each', async () => {
    const travellers = ['Anna', 'Bela'].map((firstName) => {
      return { firstName, email: 'anna@mail.example', dateOfBirth: '1988-04-12', plan: '14-days' };
    });
    const operated = await withOperator(platform);
    for (const kind of ['received', 'unpaid', 'unpaid_reminder', 'late'] as const) {
      const paid = kind === 'received' || kind === 'late';
      const { order } = await makeOrder(platform, { travellers, paid });
      await platform.runJobs(insuranceJobs(platform));
      let subject = order.number;
      if (kind === 'late') {
        const promisedAt = new Date(platform.now().getTime() - 2 * 60_000);
        await db
          .update(application)
          .set({ promisedAt })
          .where(eq(application.orderNumber, order.number));
        await refundMissedPromises(platform);
        subject = needed((await refundsByOrder(db, order.id))[0]).refund.id;
      }
      const { write } = needed(await kinds[kind].find(platform, subject));
      const content = await write(emailWords(operated, 'en'));
      if (kind === 'late') expect(emailText(content)).toMatch(/Anna \S+ and Bela/);
      // What stands of each traveller grows with their number.
      const sections = content.sections.flatMap((section): EmailSection[] => {
        if (section.kind === 'list') return [];
        if (section.kind !== 'receipt') return [section];
        return [{ ...section, rows: [], links: section.links.slice(0, 1) }];
      });
      expect(countWords({ ...content, sections }), kind).toBeLessThanOrEqual(MAX_WORDS);
    }
  });

  describe('of a child who placed the order', () => {
    beforeAll(() => {
      person = { firstName: 'Emma', dateOfBirth: '2015-05-05' };
      return () => void (person = {});
    });

    test.each(Object.keys(subjects).filter(isEmailKind).filter(isAboutApplications))(
      'the e-mail “%s” addresses a parent, and speaks of the child by name',
      async (kind) => {
        const found = needed(await kinds[kind].find(platform, await subjects[kind]()));
        const content = await found.write(emailWords(await withOperator(platform), 'en'));
        expect(content.greeting).toMatch(/^Dear parent or guardian of Emma \w+,$/);
        expect(emailText(content)).not.toMatch(/your (passport|e-visa is|insurance is)/i);
      },
    );
  });

  describe('an email in the ledger', () => {
    const send = async (emailId: string) => {
      const job = {
        id: '1',
        attempt: 1,
        isLastAttempt: false,
        signal: new AbortController().signal,
      };
      await emailJobs(platform)[SEND_JOB]?.({ emailId }, job);
    };

    test('of a kind that is unknown to this version is not dropped: its job fails', async () => {
      const about = await paidCase();
      const createdAt = platform.now();
      const id = await db.transaction((tx) => queueEmail(tx, { kind: 'copy', about, createdAt }));
      await platform.pool.query(`update email set kind = 'of_tomorrow' where id = $1`, [id]);
      await expect(send(id)).rejects.toThrow('No email of kind of_tomorrow');
    });

    test('of a kind whose job alone knows the recipient is not sent from there', async () => {
      const email = { kind: 'resume', about: 'x', createdAt: platform.now() } as const;
      const { id } = await insertEmail(db, email);
      await expect(send(id)).rejects.toThrow('No email of kind resume');
    });
  });
});

describe('insurance emails', async () => {
  const platform = await makeTestPlatform();
  const jobs = { ...emailJobs(platform), ...insuranceJobs(platform) };
  const staff = await storeStaff(platform);

  async function sent() {
    platform.sent.length = 0;
    await platform.runJobs(jobs);
    return platform.sent.map(({ subject, text, html }) => ({ subject, text, all: text + html }));
  }

  async function bought(language = 'en', dateOfBirth = '2012-02-29') {
    const placed = await makeInsurance(platform, { language, dateOfBirth, paid: true });
    const received = { kind: 'received', about: placed.number, createdAt: platform.now() } as const;
    await platform.db.transaction((tx) => queueEmail(tx, received));
    return placed;
  }

  describe('the e-mails about an insurance', () => {
    test('are one to an adult: the receipt and the certificate', async () => {
      await bought('en', '1991-07-14');
      const [email, ...others] = await sent();
      expect(others).toEqual([]);
      expect(email?.text).toContain('Your insurance certificate is ready');
      expect(email?.text).toContain('Travel insurance, 30 days: $189.00');
      expect(email?.text).toContain('/en/download?token=');
      expect(email?.text).toContain('/en/receipt?token=');
      expect(email?.text).not.toContain('authorities');
    });

    test('tell a minor that a person checks first; approved, the link follows', async () => {
      const { id } = await bought();
      const [received, ...others] = await sent();
      expect(others).toEqual([]);
      expect(received?.text).toContain('one of our team will check the application first');
      expect(received?.text).toContain('we’ll issue the certificate by');
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      const [approved] = await sent();
      expect(approved?.subject).toMatch(
        /^The insurance for Sofía Hernández Ruiz is approved: TRI /,
      );
      expect(approved?.text).toContain('/en/download?token=');
    });

    test('address the parent of a child, from the receipt to the rejection', async () => {
      const { id } = await bought();
      const emails = await sent();
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: id,
        reason: 'Not readable',
      });
      emails.push(...(await sent()));
      expect(emails.length).toBeGreaterThan(1);
      for (const { text } of emails) {
        expect(text).toContain('Dear parent or guardian of ');
        expect(text).not.toMatch(/Dear (?!parent)/);
      }
    });

    test.each(languageCodes)('in %s have all their words', async (language) => {
      const { id } = await bought(language);
      const emails = await sent();
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: id,
        reason: 'Not readable',
      });
      emails.push(...(await sent()));
      expect(emails).toHaveLength(2);
      for (const { all } of emails) expect(all).not.toMatch(/\{\{|undefined|NaN|\b1-year|-days\b/);
    });
  });
});
