import { describe, expect, it } from 'vitest';
import { insuranceAlong } from '~/extras.server.ts';
import { holdApplication } from '~/features/application/pause-store.server.ts';
import {
  applicationByNumber,
  applicationsOfOrder,
  changeStatus,
  eventsOf,
} from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seedInsurance } from '~/features/insurance/seed.server.ts';
import { insuranceDetailsOf } from '~/features/insurance/store.server.ts';
import {
  closeOrder,
  linesOf,
  orderOfApplication,
  payOrder,
} from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/store.server.ts';
import { quietProvider } from '~/features/payment/testing/quiet-provider.ts';
import { visaDetailsOf } from '../store.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import {
  indian,
  makeBrowser,
  southAfrican,
  storeCountries,
} from '../testing/sample-browser.server.ts';
import { takeNationality } from '../wizard/nationality.server.ts';
import { openReview, takeReview } from '../wizard/review.server.ts';
import { takeSupportingDocument } from '../wizard/supporting-document.server.ts';
import { takeStep } from '../wizard/take-step.server.ts';
import { openStep, viewOf, type StepArgs } from '../wizard/wizard.server.ts';
import { needed } from '../../../../test/purchases.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { openChangePage, takeChange } from './change-page.server.ts';

const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;
await storeCountries(platform);
await seedAll(db, [seedInsurance], NOW);

const payments = {
  providers: [quietProvider()],
  onPaid: async () => undefined,
  onRefunded: async () => undefined,
};

type Step = Parameters<typeof takeStep>[0];
const take = (step: Step) => (args: StepArgs) => takeStep(step, args);
const open = (step: Step) => async (args: StepArgs) => ({
  view: viewOf(step, await openStep(step, args)),
});

/** A traveller who has submitted an application and stands at the payment. */
async function submitted(insurance = 'none') {
  const browser = makeBrowser(platform, { payments, extra: insuranceAlong });
  await browser.post(takeNationality, southAfrican);
  for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
    await browser.post(take(step), southAfrican);
  }
  await browser.post(takeReview, { intent: 'pay', insurance, insuranceShown: insurance });
  const { data } = await browser.get(openReview);
  if (typeof data !== 'object' || data === null || !('applicationNumber' in data)) {
    throw new Error('It was not submitted');
  }
  const number = String(data.applicationNumber);
  return { browser, number, path: `/application/change?ref=${number}` };
}

const orderOf = async (number: string) => needed(await orderOfApplication(db, number));
const stored = async (number: string) => needed(await applicationByNumber(db, number));

/** The answers with another name and a faster processing. */
const changed = {
  ...southAfrican,
  lastName: 'Dlamini',
  processingType: 'express',
  processingTypeShown: 'standard',
};

describe('an unpaid application', () => {
  it('is opened again with every answer, and stays as it was until it is submitted', async () => {
    const { browser, number, path } = await submitted();
    expect((await browser.get(openChangePage, path)).data).toMatchObject({ kind: 'asked', number });
    expect(await browser.post(takeChange, { intent: 'change' }, path)).toMatchObject({
      status: 303,
      location: '/application/review',
    });
    const { passportNumber, motherName, address } = southAfrican;
    expect((await browser.get(open('details'))).data).toMatchObject({
      view: {
        changing: number,
        typed: { lastName: 'Nkosi', passportNumber, motherName, address, 'dateOfBirth-day': '17' },
      },
    });
    expect((await browser.get(open('arrival'))).data).toMatchObject({
      view: { typed: { 'arrivalDate-year': '2027', processingType: 'standard' } },
    });
    await browser.post(take('details'), changed);
    expect(await stored(number)).toMatchObject({ lastName: 'Nkosi' });
  });

  it('is stored again under its number and order, at the new price', async () => {
    const { browser, number, path } = await submitted();
    const before = await orderOf(number);
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(take('details'), changed);
    await browser.post(take('arrival'), changed);
    const paid = await browser.post(takeReview, { intent: 'pay', totalAmount: '244.00' });
    expect(paid).toMatchObject({ status: 303 });
    const order = await orderOf(number);
    expect(order).toMatchObject({
      id: before.id,
      number: before.number,
      amountMinor: 244_00,
      customerName: 'Thandi Dlamini',
    });
    expect(await linesOf(db, order.id)).toMatchObject([
      { applicationNumber: number, code: 'evisa_fee', amountMinor: 69_00 },
      { applicationNumber: number, code: 'processing_fee', detail: 'express' },
    ]);
    const application = await stored(number);
    expect(application).toMatchObject({
      lastName: 'Dlamini',
      service: 'express',
      amountMinor: 244_00,
      status: 'pending',
      searchText: expect.stringContaining('dlamini'),
    });
    const events = await eventsOf(db, application.id);
    expect(events.map(({ kind }) => kind)).toEqual(['submitted', 'changed']);
    const amounts = (await attemptsFor(db, order.number)).map(({ amountMinor, supersededAt }) => [
      amountMinor,
      supersededAt !== null,
    ]);
    // They were begun in the same moment of the test's clock.
    expect(amounts.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [94_00, true],
      [244_00, false],
    ]);
    const { rows } = await platform.pool.query('select 1 from application where number = $1', [
      number,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('can become the application of another country', async () => {
    const { browser, number, path } = await submitted();
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(takeNationality, indian);
    await browser.post(takeSupportingDocument, indian);
    for (const step of ['arrival', 'prerequisites', 'details'] as const) {
      await browser.post(take(step), indian);
    }
    await browser.post(takeReview, { intent: 'pay', totalAmount: '184.00' });
    const application = await stored(number);
    expect(application).toMatchObject({ countryCode: 'IND', amountMinor: 184_00 });
    expect(await visaDetailsOf(db, platform.sealer, application.id)).toMatchObject({
      supportingDocumentType: 'visa',
      entries: 'single',
      purpose: null,
    });
  });

  it('stays as it was where the new country gets no e-visa, and says so', async () => {
    const { browser, number, path } = await submitted();
    await browser.post(takeChange, { intent: 'change' }, path);
    const german = { countryId: 'DEU', documentType: 'ordinary' };
    expect(await browser.post(takeNationality, german)).toMatchObject({ data: { noEvisa: true } });
    expect((await browser.get(open('nationality'))).data).toMatchObject({
      view: { changing: number },
    });
    expect(await stored(number)).toMatchObject({ countryCode: 'ZAF' });
    expect(await browser.post(takeChange, { intent: 'leave' }, path)).toMatchObject({
      location: `/status?ref=${number}`,
    });
    expect(browser.cookies.has('lale_draft')).toBe(false);
  });

  it('is not stored at a price that the page did not show, nor by a page without its answers', async () => {
    const { browser, number, path } = await submitted();
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(take('arrival'), changed);
    expect(await browser.post(takeReview, { intent: 'pay', totalAmount: '94.00' })).toMatchObject({
      status: 409,
      data: { newTotal: { minor: 244_00 } },
    });
    // The button of a page that was opened before, in another tab.
    expect(await browser.post(takeReview, { intent: 'pay' })).toMatchObject({
      location: '/application/review',
    });
    expect(await stored(number)).toMatchObject({ service: 'standard', amountMinor: 94_00 });
  });

  it('is taken up again where it was left, and not begun anew', async () => {
    const { browser, path } = await submitted();
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(take('details'), changed);
    await browser.post(takeChange, { intent: 'change' }, path);
    expect((await browser.get(open('details'))).data).toMatchObject({
      view: { typed: { lastName: 'Dlamini' } },
    });
  });

  it('warns where another application was begun in this browser', async () => {
    const { browser, path } = await submitted();
    await browser.post(takeReview, { intent: 'another' });
    expect((await browser.get(openChangePage, path)).data).toMatchObject({ loses: false });
    await browser.post(takeNationality, indian);
    expect((await browser.get(openChangePage, path)).data).toMatchObject({ loses: true });
  });
});

describe('an application that cannot be changed', () => {
  const why = async (browser: Awaited<ReturnType<typeof submitted>>['browser'], path: string) => {
    const { status, data } = await browser.get(openChangePage, path);
    return { status, data };
  };

  it('belongs to another browser: nothing is told of it', async () => {
    const { path } = await submitted();
    const stranger = makeBrowser(platform, { payments });
    expect(await why(stranger, path)).toMatchObject({ status: 403, data: { why: 'not_payer' } });
    await stranger.post(takeChange, { intent: 'change' }, path);
    expect(stranger.cookies.has('lale_draft')).toBe(false);
    const unknown = '/application/change?ref=TRV0000000000000';
    expect((await why(stranger, unknown)).status).not.toBe(200);
  });

  const ends: [string, (number: string) => Promise<unknown>][] = [
    [
      'paid',
      async (number) => {
        const order = await orderOf(number);
        const [attempt] = await attemptsFor(db, order.number);
        const paid = { number: order.number, attemptId: needed(attempt).id, at: NOW };
        await db.transaction((tx) => payOrder(tx, paid));
      },
    ],
    [
      'closed',
      async (number) => {
        const { number: order } = await orderOf(number);
        await db.transaction((tx) => closeOrder(tx, order, NOW));
      },
    ],
    [
      'decided',
      async (number) => {
        const { id } = await stored(number);
        const rejection = { code: 'other' as const, words: 'No' };
        const change = { id, from: 'pending', to: 'rejected', at: NOW, rejection, staffId: null };
        await db.transaction(async (tx) => {
          await holdApplication(tx, id);
          await changeStatus(tx, { ...change, from: 'pending', to: 'rejected' });
        });
      },
    ],
    [
      'confirming',
      async (number) => {
        const { number: order } = await orderOf(number);
        await platform.pool.query(
          `update payment_attempt set state = 'pending' where reference = $1`,
          [order],
        );
      },
    ],
  ];

  it.each(ends)(
    'is %s: before it is opened, and before what was changed is stored',
    async (code, end) => {
      const early = await submitted();
      await end(early.number);
      expect(await why(early.browser, early.path)).toMatchObject({
        status: 409,
        data: { why: code },
      });
      await early.browser.post(takeChange, { intent: 'change' }, early.path);
      expect(await early.browser.get(open('details'))).toMatchObject({ status: 302 });

      const late = await submitted();
      await late.browser.post(takeChange, { intent: 'change' }, late.path);
      await late.browser.post(take('details'), changed);
      await end(late.number);
      expect(
        await late.browser.post(takeReview, { intent: 'pay', totalAmount: '94.00' }),
      ).toMatchObject({ status: 303, location: late.path });
      expect(await stored(late.number)).toMatchObject({ lastName: 'Nkosi' });
      expect(await late.browser.get(openReview)).toMatchObject({ location: late.path });
    },
  );
});

describe('an order of a visa with its insurance', () => {
  const withPlan = (plan: string, total: string) => ({
    intent: 'pay',
    insurance: plan,
    insuranceShown: plan,
    totalAmount: total,
  });

  it('keeps the insurance, for the person and the arrival as they are now', async () => {
    const { browser, number, path } = await submitted('30-days');
    const { number: group } = await orderOf(number);
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(take('details'), changed);
    await browser.post(take('arrival'), {
      ...changed,
      processingType: 'standard',
      'arrivalDate-day': '20',
    });
    const { data } = await browser.get(openReview);
    expect(data).toMatchObject({ quoted: { choice: '30-days', total: { minor: 94_00 + 189_00 } } });
    await browser.post(takeReview, withPlan('30-days', '283.00'));
    const order = await orderOf(number);
    expect(order).toMatchObject({ number: group, amountMinor: 283_00 });
    const [visa, insurance] = await applicationsOfOrder(db, group);
    expect(visa).toMatchObject({ kind: 'visa', lastName: 'Dlamini' });
    expect(insurance).toMatchObject({
      kind: 'insurance',
      lastName: 'Dlamini',
      startsOn: '2027-01-20',
      service: '30-days',
    });
    const details = await insuranceDetailsOf(db, platform.sealer, needed(insurance).id);
    expect(details).toMatchObject({ coverUntil: '2027-02-18' });
  });

  it('takes another plan, or none any more', async () => {
    const { browser, number, path } = await submitted('30-days');
    const { number: group } = await orderOf(number);
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(takeReview, withPlan('90-days', '393.00'));
    expect((await applicationsOfOrder(db, group))[1]).toMatchObject({ service: '90-days' });

    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(takeReview, withPlan('none', '94.00'));
    const order = await orderOf(number);
    expect(order).toMatchObject({ number: group, amountMinor: 94_00 });
    expect(await applicationsOfOrder(db, group)).toMatchObject([{ kind: 'visa' }]);
    expect(await linesOf(db, order.id)).toHaveLength(2);
  });

  it('says that a child cannot take the insurance along', async () => {
    const { browser, path } = await submitted('30-days');
    await browser.post(takeChange, { intent: 'change' }, path);
    await browser.post(take('details'), { ...southAfrican, 'dateOfBirth-year': '2015' });
    expect((await browser.get(openReview)).data).toMatchObject({
      isPlanGone: true,
      quoted: { choice: null, total: { minor: 94_00 } },
    });
  });

  it('offers none to an order that was placed without', async () => {
    const { browser, path } = await submitted();
    await browser.post(takeChange, { intent: 'change' }, path);
    expect((await browser.get(openReview)).data).toMatchObject({ quoted: { offer: null } });
  });
});
