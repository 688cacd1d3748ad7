import { beforeAll, describe, expect, test } from 'vitest';
import { preferredLanguageKey, type Language, languageCodes } from '~/base/languages.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { closeOrder, orderByNumber } from '~/features/order/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { previewDecision } from './preview.server.ts';
import { makePayment, makeOrder, seedSales, type Traveller } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

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
  decide(platform, staff, {
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
