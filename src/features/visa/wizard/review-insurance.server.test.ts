import { describe, expect, it } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { findByNumber } from '~/features/status/lookup.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { decidePlans } from '~/features/insurance/testing/decide-plans.server.ts';
import { linesByOrder, orderByApplication, orderTotal } from '~/features/order/store.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { NOW } from '../testing/sample-answers.ts';
import { makeBrowser, southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { handleNationalitySubmit } from './nationality.server.ts';
import { openReview, handleReviewSubmit } from './review.server.ts';
import { submitWizardStep } from '../testing/wizard-visits.server.ts';

const platform = await makeTestPlatform({ now: NOW });
await storeCountries(platform);
await seedAll(platform.db, [seedInsurance], NOW);

const payments = quietPayments(quietProvider());

async function atReview(answers = southAfrican) {
  const browser = makeBrowser(platform, { payments });
  await browser.post(handleNationalitySubmit, answers);
  for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
    await browser.post(submitWizardStep(step), answers);
  }
  return browser;
}

async function stored(): Promise<{ applications: number; orders: number }> {
  const { rows } = await platform.pool.query<{ applications: number; orders: number }>(
    'select (select count(*)::int from application) as applications, (select count(*)::int from purchase_order) as orders',
  );
  return rows[0] ?? { applications: -1, orders: -1 };
}

async function orderOf(browser: Awaited<ReturnType<typeof atReview>>) {
  const { data } = await browser.get(openReview);
  const isSubmitted = typeof data === 'object' && data !== null && 'applicationNumber' in data;
  const number = isSubmitted ? String(data.applicationNumber) : '';
  const order = await orderByApplication(platform.db, number);
  if (!order) throw new Error('There is no order');
  return { number, order };
}

const withPlan = { intent: 'pay', insurance: '30-days', insuranceShown: '30-days' };

describe('insurance on the review page', () => {
  it('is offered, nothing chosen, the plan that covers the longest stay first', async () => {
    const browser = await atReview();
    const { data } = await browser.get(openReview);
    expect(data).toMatchObject({
      quoted: { choice: null, total: { minor: 94_00 }, offer: { suggested: '30-days' } },
    });
    expect(data).toHaveProperty('quoted.offer.choices.length', 7);
    expect(data).toHaveProperty('quoted.offer.choices[0].id', '30-days');
    expect(data).toHaveProperty('quoted.offer.choices[0].until', '2027-02-13');
  });

  it('is not offered to a traveller under 18', async () => {
    const browser = await atReview({ ...southAfrican, 'dateOfBirth-year': '2012' });
    expect((await browser.get(openReview)).data).toMatchObject({ quoted: { offer: null } });
    expect(await browser.post(handleReviewSubmit, withPlan)).toMatchObject({
      status: 409,
      data: { quoted: { choice: null, total: { minor: 94_00 } } },
    });
  });

  it('is quoted where no scripts add it up, and nothing is stored', async () => {
    const browser = await atReview();
    const before = await stored();
    const answer = await browser.post(handleReviewSubmit, { intent: 'quote', insurance: '7-days' });
    expect(answer).toMatchObject({
      status: 200,
      data: { quoted: { choice: '7-days', visa: { minor: 94_00 }, total: { minor: 208_00 } } },
    });
    expect(await stored()).toEqual(before);
  });
});

describe('paying for both', () => {
  it('stores two applications under numbers of their own, and one order with the sum', async () => {
    const browser = await atReview();
    const before = await stored();
    const answer = await browser.post(handleReviewSubmit, { ...withPlan, totalAmount: '283.00' });
    expect(answer).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^\/gpay-checkout\?data=/),
    });
    expect(await stored()).toEqual({
      applications: before.applications + 2,
      orders: before.orders + 1,
    });
    const { number, order } = await orderOf(browser);
    expect(order.number).toMatch(/^TRG/);
    expect(orderTotal(order)).toEqual({ minor: 283_00, currency: 'USD' });
    const [visa, insurance] = await applicationsByOrder(platform.db, order.number);
    expect(visa).toMatchObject({ kind: 'visa', number, amountMinor: 94_00 });
    expect(insurance).toMatchObject({
      kind: 'insurance',
      number: expect.stringMatching(/^TRI/),
      amountMinor: 189_00,
      service: '30-days',
      lastName: 'Nkosi',
      startsOn: '2027-01-15',
    });
    const lines = await linesByOrder(platform.db, order.id);
    expect(lines.map(({ applicationNumber }) => applicationNumber)).toEqual([
      number,
      number,
      insurance?.number,
    ]);
  });

  it('leads from either number, and from the order’s, to what was bought together', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, withPlan);
    const { number, order } = await orderOf(browser);
    const byOrder = await findByNumber(platform, order.number);
    expect(byOrder).toMatchObject({
      ok: true,
      value: { view: { number, due: { minor: 283_00 }, beside: [{ kind: 'insurance' }] } },
    });
    const other = byOrder.ok ? (byOrder.value.view.beside[0]?.number ?? '') : '';
    expect(await findByNumber(platform, other)).toMatchObject({
      value: { view: { kind: 'insurance', beside: [{ kind: 'visa', number }] } },
    });
  });

  it('makes one order of many clicks', async () => {
    const browser = await atReview();
    const before = await stored();
    await Promise.all(Array.from({ length: 4 }, () => browser.post(handleReviewSubmit, withPlan)));
    expect((await stored()).applications).toBe(before.applications + 2);
  });

  it('is asked again when the choice is not the one whose total was shown', async () => {
    const browser = await atReview();
    const before = await stored();
    const answer = await browser.post(handleReviewSubmit, {
      ...withPlan,
      insuranceShown: 'none',
      totalAmount: '94.00',
    });
    expect(answer).toMatchObject({
      status: 409,
      data: { newTotal: { minor: 283_00 }, isOtherChoice: true, quoted: { choice: '30-days' } },
    });
    expect(await stored()).toEqual(before);
  });

  it('is asked again when the plan is not sold any more, and said why', async () => {
    const browser = await atReview();
    const before = await stored();
    await decidePlans(platform, { '30-days.on_sale': false });
    const answer = await browser.post(handleReviewSubmit, { ...withPlan, totalAmount: '283.00' });
    expect(answer).toMatchObject({
      status: 409,
      data: { newTotal: { minor: 94_00 }, isPlanGone: true, quoted: { choice: null } },
    });
    expect(answer).toHaveProperty('data.quoted.offer.suggested', '60-days');
    expect(await stored()).toEqual(before);
    await decidePlans(platform, { '30-days.on_sale': true });
    expect(
      (await browser.post(handleReviewSubmit, { ...withPlan, totalAmount: '283.00' })).status,
    ).toBe(303);
  });

  it('that was quoted stays with its order, whatever is sold later', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, withPlan);
    await decidePlans(platform, { '30-days.on_sale': false });
    const { order } = await orderOf(browser);
    expect(orderTotal(order)).toEqual({ minor: 283_00, currency: 'USD' });
    await decidePlans(platform, { '30-days.on_sale': true });
  });

  it('stores nothing at all when the insurance cannot be stored', async () => {
    const browser = await atReview();
    await platform.pool.query(
      `alter table insurance_application add constraint full_disk check (plan_days <> 30) not valid`,
    );
    const before = await stored();
    await expect(browser.post(handleReviewSubmit, withPlan)).rejects.toThrow('Failed query');
    expect(await stored()).toEqual(before);
    await platform.pool.query('alter table insurance_application drop constraint full_disk');
  });
});
