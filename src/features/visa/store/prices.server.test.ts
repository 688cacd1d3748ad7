import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { toDecimal, usd } from '~/base/money.ts';
import { linesByOrder, orderByNumber } from '~/features/order/store.server.ts';
import { decideSetting, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { visaApi } from '../purchase/api.server.ts';
import { visaPrices, visaPricesInForce } from './store.server.ts';
import { firstPrices, quoteVisa } from '../rules/price-list.ts';
import { completeAnswers, countries, NOW } from '../testing/sample-answers.ts';
import { makeBrowser, southAfrican } from '../testing/sample-browser.server.ts';
import { handleNationalitySubmit } from '../wizard/nationality.server.ts';
import { openReview, handleReviewSubmit } from '../wizard/review.server.ts';
import { submitWizardStep } from '../testing/wizard-visits.server.ts';

const platform = await makeTestPlatform({ now: NOW });
await seedAll(platform.db, seeders, NOW);
const api = visaApi(platform);
const pages = makeTestApp(platform);

let newest = NOW;
const goOn = (seconds: number): Date => {
  newest = new Date(newest.getTime() + seconds * 1000);
  platform.clock.set(newest);
  return newest;
};
afterEach(() => void goOn(3600));

/** Cents by item, from a moment on; null: from now on. */
async function setPrices(prices: Record<string, number>, validFrom: Date | null = null) {
  const kept = await decideSetting(
    platform.db,
    {
      section: 'visa_prices',
      values: Object.fromEntries(Object.entries(prices).map(([item, minor]) => [item, usd(minor)])),
      validFrom,
      reason: 'A test',
      staffId: await storeStaffId(platform.db),
      alone: true,
      seen: sectionVersion(await readSettings(platform.db), 'visa_prices'),
      now: platform.now(),
    },
    () => true,
    async () => undefined,
  );
  if (!kept.ok) throw new Error(kept.error);
}

/** The same prices for each test. */
beforeEach(() => setPrices({ 'without_document.standard': 25_00, evisa_fee: 69_00 }));

async function apply(totalAmount: string) {
  const { purpose: _, ...answers } = completeAnswers(countries.southAfrica);
  const answer = await api.request('/api/applications', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...answers, totalAmount }),
  });
  return { status: answer.status, body: await answer.json() };
}

const dueNow = async () =>
  toDecimal(quoteVisa(await visaPrices(platform), 'without_document', 'standard').total);

async function owedFor(number: string): Promise<string> {
  const order = await orderByNumber(platform.db, number);
  if (!order) throw new Error('no order');
  const lines = await linesByOrder(platform.db, order.id);
  return toDecimal(usd(lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)));
}

describe('a new price', () => {
  it('is what the call asks for from its moment on, and not before', async () => {
    const moment = new Date(newest.getTime() + 60_000);
    await setPrices({ evisa_fee: 71_00 }, moment);
    goOn(59.999);
    expect((await apply('96.00')).body).toMatchObject({
      code: 'wrong_total',
      totalAmount: '94.00',
    });
    expect((await apply('94.00')).status).toBe(201);
    goOn(0.001);
    expect((await apply('94.00')).body).toMatchObject({
      code: 'wrong_total',
      totalAmount: '96.00',
    });
    expect((await apply('96.00')).status).toBe(201);
  });

  it('leaves an order alone that was placed before', async () => {
    const agreed = await dueNow();
    const { body } = await apply(agreed);
    await setPrices({ evisa_fee: 80_00 });
    expect(await dueNow()).not.toBe(agreed);
    expect(await owedFor(body.orderReference)).toBe(agreed);
  });

  it('brings the review page anew with both totals, and stores nothing', async () => {
    const payments = quietPayments(quietProvider());
    const browser = makeBrowser(platform, { payments });
    await browser.post(handleNationalitySubmit, southAfrican);
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await browser.post(submitWizardStep(step), southAfrican);
    }
    const before = await dueNow();
    expect(await browser.get(openReview)).toMatchObject({
      data: { view: { prices: { evisaFee: { minor: Number(before) * 100 - 25_00 } } } },
    });
    await setPrices({ evisa_fee: 90_00 });
    const answer = await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: before });
    expect(answer).toMatchObject({
      status: 409,
      data: { oldTotal: { minor: Number(before) * 100 }, newTotal: { minor: 115_00 } },
    });
    const now = await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '115.00' });
    expect(now).toMatchObject({ status: 303 });
  });

  test.each(['/en', '/en/processing-times', '/en/faq', '/tr/faq'])(
    'is on %s with another ETag at its moment, not a minute later',
    async (path) => {
      await setPrices({ 'without_document.standard': 21_00, evisa_fee: 69_00 });
      await setPrices({ 'without_document.standard': 22_00 }, new Date(newest.getTime() + 2000));
      const first = await pages.request(path);
      const etag = first.headers.get('etag') ?? '';
      expect(await first.text()).toMatch(/90[.,]00/);
      goOn(1.5);
      const same = await pages.request(path, { headers: { 'If-None-Match': etag } });
      expect(same.status).toBe(304);
      goOn(0.5);
      const other = await pages.request(path, { headers: { 'If-None-Match': etag } });
      expect(other.status).toBe(200);
      expect(other.headers.get('etag')).not.toBe(etag);
      expect(await other.text()).toMatch(/91[.,]00/);
    },
  );
});

describe('an order', () => {
  it('is charged what it was quoted, whatever happens to prices before and after', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('price' as const),
        cents: fc.integer({ min: 1_00, max: 74_00 }),
        inSeconds: fc.constantFrom(0, 30, 90),
      }),
      fc.record({ kind: fc.constant('quote' as const) }),
      fc.record({ kind: fc.constant('order' as const) }),
      fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 60 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (history) => {
        let shown = await dueNow();
        const agreed = new Map<string, string>();
        for (const one of history) {
          if (one.kind === 'wait') goOn(one.seconds);
          else if (one.kind === 'quote') shown = await dueNow();
          else if (one.kind === 'price') {
            const from = one.inSeconds === 0 ? null : new Date(+newest + one.inSeconds * 1000);
            await setPrices({ 'without_document.standard': one.cents }, from);
          } else {
            const { status, body } = await apply(shown);
            expect(status).toBe(shown === (await dueNow()) ? 201 : 409);
            if (status === 201) agreed.set(body.orderReference, shown);
            else shown = body.totalAmount;
          }
        }
        goOn(3600);
        for (const [number, total] of agreed) expect(await owedFor(number)).toBe(total);
      }),
      { numRuns: 12 },
    );
  });
});

test('prices that were asked for at other moments change nothing of those of this one', () => {
  const moment = fc.integer({ min: 0, max: 20 }).map((hours) => new Date(NOW.getTime() + hours));
  const planned = fc.array(fc.record({ validFrom: moment, minor: fc.integer({ min: 1 }) }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(planned, fc.array(moment, { minLength: 1, maxLength: 8 }), (plans, asked) => {
      const change = {
        section: 'visa_prices' as const,
        reason: '',
        staffId: null,
        confirmedBy: null,
        alone: false,
        withdrawn: null,
      };
      const settings = {
        version: plans.length,
        changes: [
          { ...change, id: 0, createdAt: NOW, validFrom: new Date(0), values: firstPrices },
          ...plans.map(({ validFrom, minor }, index) => ({
            ...change,
            id: index + 1,
            createdAt: NOW,
            validFrom,
            values: { evisa_fee: usd(minor) },
          })),
        ],
      };
      for (const at of asked) {
        expect(visaPricesInForce(settings, at)).toEqual(visaPricesInForce({ ...settings }, at));
      }
    }),
  );
});
