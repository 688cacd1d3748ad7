import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { languageCodes } from '../src/base/languages.ts';
import { changeEmail } from '../src/features/application/change-email.server.ts';
import { remindOfCorrections } from '../src/features/application/correction/correction-reminders.server.ts';
import { askNumbers } from '../src/features/status/ask-numbers.server.ts';
import { applicationsOfOrder, type Application } from '../src/features/application/store.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { refundView, takeRefund } from '../src/features/status/payers-refund.server.ts';
import { upload } from '../src/features/desk/application/uploads.server.ts';
import { askCorrection } from '../src/features/desk/application/ask-correction.server.ts';
import { decide } from '../src/features/desk/application/decide.server.ts';
import { goodPdf, storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { addPayerDevice } from '../src/features/order/payer/payer-store.server.ts';
import {
  remindUnpaid,
  TELL_AFTER_MS,
  tellUnpaid,
} from '../src/features/order/payer/remind-unpaid-store.server.ts';
import { receiptsOfOrder } from '../src/features/order/receipt/store.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import { order } from '../src/features/order/tables.server.ts';
import { NOW } from '../src/features/visa/testing/sample-answers.ts';
import type { Message } from '../src/platform/mail/mail.server.ts';
import { newBrowser } from './browser.ts';
import { makeOrder } from './make.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import { needed } from './needed.ts';

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

async function sent(): Promise<Message[]> {
  platform.sent.length = 0;
  await service.runJobs();
  return [...platform.sent];
}

async function family(language = 'en', isPaid = true) {
  const made = await makeOrder(platform, { headers: { 'accept-language': language } });
  if (isPaid) await comeBack(await pay(await start(made.order)));
  const orderNumber = made.order.number;
  const held = await applicationsOfOrder(db, orderNumber);
  const of = (name: string, kind: Application['kind'] = 'visa') =>
    needed(held.find((one) => one.firstName === name && one.kind === kind));
  return { ...made, orderNumber, held, of };
}

type Family = Awaited<ReturnType<typeof family>>;

async function pdf(): Promise<string> {
  const file = await upload(platform, staff, goodPdf());
  if (!file.ok) throw new Error(file.error);
  return file.value.id;
}

const events = {
  approve: async ({ id }: Application) =>
    decide(platform, staff, { kind: 'approve', applicationId: id, fileId: await pdf() }),
  reject: ({ id }: Application) =>
    decide(platform, staff, { kind: 'reject', applicationId: id, code: 'duplicate' }),
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
        // A rejected insurance is refunded, about which the payer gets an email, too.
        const mails = (await sent()).filter(({ subject }) => !subject.startsWith('Your refund'));
        const recipients = mails.map((mail) => mail.to);
        expect(recipients, event).toEqual([to]);
        const { subject, text } = needed(mails[0]);
        expect(text).toContain(greeting);
        expect(`${subject}\n${text}`.includes(`${name} Nkosi`), event).toBe(true);
        expect(subject.includes(`${name} Nkosi`), event).toBe(isForChild);
        expect(text.includes('because you placed the order for'), event).toBe(isForChild);
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
    const quote = await refundView(platform, 'cancelled', asked, sessionHash);
    if (quote?.kind !== 'quote') throw new Error(quote?.kind);
    const { id, shown } = quote;
    const wanted = { id, shown, orderNumber, numbers, sessionHash };
    expect((await takeRefund(platform, 'cancelled', wanted)).ok).toBe(true);
    const mails = (await sent()).filter(({ subject }) => subject.startsWith('Cancelled'));
    expect(mails.map(({ to }) => to).toSorted()).toEqual([ANNA, BELA, BELA]);
    const toBela = mails.flatMap(({ to, text }) => (to === BELA ? [text] : [])).join('\n');
    for (const sentence of [
      'has cancelled this e-visa application',
      'The cover has ended and the certificate is no longer valid',
    ]) {
      expect(toBela).toContain(sentence);
    }
    expect(toBela).not.toMatch(/rejected|at your request|\$/);
    expect(toBela).not.toContain('Anna');
  });

  test('about the whole order: the payer alone, once for each event', async () => {
    const { orderNumber, held } = await family('en', false);
    platform.clock.advance(TELL_AFTER_MS);
    await tellUnpaid(platform);
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
  expect(received.text.match(/deliver (it|all e-visas) by|issue the certificate by/g)).toHaveLength(
    2,
  );
});

test('receipt and credit note name the travellers, and so does the e-mail about the refund', async () => {
  const { orderNumber, of, held } = await family();
  await sent();
  await events.reject(of('Carl', 'insurance'));
  const mails = await sent();
  const { id } = needed(await orderByNumber(db, orderNumber));
  const [receipt, note] = await receiptsOfOrder(db, id);
  const named = (issued: typeof receipt) =>
    needed(issued).facts.lines.map(({ applicationNumber, traveller }) => [
      applicationNumber,
      traveller?.position,
      traveller?.name,
    ]);
  const ofOrder = held.map((one) => [one.number, one.travellerPosition, `${one.firstName} Nkosi`]);
  for (const one of ofOrder) expect(named(receipt)).toContainEqual(one);
  expect(named(note)).toEqual([[of('Carl', 'insurance').number, 3, 'Carl Nkosi']]);
  const refund = needed(mails.find(({ subject }) => subject.startsWith('Your refund')));
  expect(refund.to).toBe(ANNA);
  expect(refund.text).toContain('Carl Nkosi: Travel insurance, 14 days: $149.00');
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
    await remindOfCorrections(platform);
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
