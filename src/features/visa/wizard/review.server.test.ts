import { describe, expect, it } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { refused } from '~/base/outcome.ts';
import { closeOrder, payOrder } from '~/features/order/store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import {
  openNationality,
  handleNationalitySubmit,
  handleSupportingDocumentSubmit,
} from './nationality.server.ts';
import { openReview, handleReviewSubmit } from './review.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import {
  indian,
  makeBrowser,
  southAfrican,
  storeCountries,
} from '../testing/sample-browser.server.ts';
import { submitWizardStep } from '../testing/wizard-visits.server.ts';

const platform = await makeTestPlatform({ now: NOW });
await storeCountries(platform);

/** Whether the provider's double answers. */
const partner = { isUp: true };
const provider = quietProvider({
  begin: async (attempt) =>
    partner.isUp
      ? quietProvider().begin(attempt)
      : refused({ code: 'refused', message: 'Payment gateway refused: 503' }),
});
const payments = quietPayments(provider);

async function atReview() {
  const browser = makeBrowser(platform, { payments });
  await browser.post(handleNationalitySubmit, southAfrican);
  await browser.post(submitWizardStep('what_it_allows'), southAfrican);
  await browser.post(submitWizardStep('arrival'), southAfrican);
  await browser.post(submitWizardStep('details'), southAfrican);
  return browser;
}

async function applications(): Promise<number> {
  const { rows } = await platform.pool.query<{ count: number }>(
    'select count(*)::int from application',
  );
  return rows[0]?.count ?? 0;
}

const numberIn = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'applicationNumber' in data
    ? String(data.applicationNumber)
    : '';

describe('submitting', () => {
  it('leads straight to the payment page without scripts', async () => {
    const browser = await atReview();
    const answer = await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '94.00' });
    expect(answer).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^\/gpay-checkout\?data=/),
    });
    expect(browser.cookies.has('lale_session')).toBe(true);
  });

  it('says where the payment page is, with scripts', async () => {
    const browser = await atReview();
    const answer = await browser.post(handleReviewSubmit, {
      intent: 'pay',
      scripts: 'yes',
      totalAmount: '94.00',
    });
    expect(answer).toMatchObject({
      status: 200,
      data: { payment: { kind: 'ready', paymentUrl: 'https://pay.example/checkout' } },
    });
  });

  it('makes one application of many clicks, in the language of the page', async () => {
    const browser = await atReview();
    const before = await applications();
    await Promise.all(
      Array.from({ length: 6 }, () => browser.post(handleReviewSubmit, { intent: 'pay' })),
    );
    await browser.post(handleReviewSubmit, { intent: 'pay' });
    expect(await applications()).toBe(before + 1);
  });

  it('stores nothing when the total shown is not the total due', async () => {
    const browser = await atReview();
    const before = await applications();
    const answer = await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '69.00' });
    expect(answer).toMatchObject({ status: 409, data: { newTotal: { minor: 9400 } } });
    expect(await applications()).toBe(before);
  });

  it('stores nothing when time has made an answer wrong, and leads there', async () => {
    const before = await applications();
    const browser = await atReview();
    platform.clock.set(new Date('2026-12-20T10:00:00Z'));
    await browser.post(submitWizardStep('details'), southAfrican);
    platform.clock.set(new Date('2027-01-11T10:00:00Z'));
    expect(await browser.post(handleReviewSubmit, { intent: 'pay' })).toMatchObject({
      status: 303,
      location: '/application/arrival',
    });
    platform.clock.set(NOW);
    expect(await applications()).toBe(before);
  });

  it('goes back and to a link by e-mail like any step', async () => {
    const browser = await atReview();
    expect(await browser.post(handleReviewSubmit, { intent: 'previous' })).toMatchObject({
      status: 303,
      location: '/application/details',
    });
    const later = { intent: 'later', saveEmail: 'thandi@traveller.example' };
    expect(await browser.post(handleReviewSubmit, later)).toMatchObject({
      location: '/application/saved',
    });
  });
});

describe('what was submitted', () => {
  it('waits for its payment, whichever step is opened', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, { intent: 'pay' });
    expect(await browser.get(openNationality)).toMatchObject({ location: '/application/review' });
    expect(await browser.post(submitWizardStep('details'), southAfrican)).toMatchObject({
      location: '/application/review',
    });
    const page = await browser.get(openReview);
    expect(page.data).toMatchObject({
      kind: 'submitted',
      total: { minor: 9400 },
      isStartFailed: false,
    });
  });

  it('is forgotten by the draft, which keeps the number alone', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, { intent: 'pay' });
    const number = numberIn((await browser.get(openReview)).data);
    const { rows } = await platform.pool.query<{ answers: Buffer; id: string }>(
      'select id, answers from draft where application_number = $1',
      [number],
    );
    const [row] = rows;
    expect(row && platform.sealer.unsealJson(row.answers, `draft.answers:${row.id}`)).toEqual({
      typed: {},
      attempted: [],
      written: {},
    });
  });

  it('makes room for another application', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, { intent: 'pay' });
    expect(await browser.post(handleReviewSubmit, { intent: 'another' })).toMatchObject({
      location: '/application',
    });
    expect((await browser.get(openNationality)).data).toMatchObject({
      view: { typed: { countryId: '' } },
    });
  });

  it('leads to its status once paid, and the first step begins anew', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, { intent: 'pay' });
    const number = numberIn((await browser.get(openReview)).data);
    const [attempt] = await attemptsByReference(platform.db, number);
    await platform.db.transaction((tx) =>
      payOrder(tx, { number, attemptId: attempt?.id ?? '', at: NOW }),
    );
    expect(await browser.get(openReview)).toMatchObject({ location: `/status?ref=${number}` });
    expect((await browser.get(openNationality)).data).toMatchObject({ view: { version: 0 } });
    expect(await browser.post(handleNationalitySubmit, indian)).toMatchObject({
      location: '/application/supporting-document',
    });
    expect(await browser.post(handleSupportingDocumentSubmit, indian)).toMatchObject({
      location: '/application/arrival',
    });
  });
});

describe('what was rejected before it was paid', () => {
  it('leads to its status, and cannot be paid', async () => {
    const browser = await atReview();
    await browser.post(handleReviewSubmit, { intent: 'pay' });
    const number = numberIn((await browser.get(openReview)).data);
    await platform.db.transaction((tx) => closeOrder(tx, number, NOW));
    const status = { location: `/status?ref=${number}` };
    expect(await browser.get(openReview)).toMatchObject(status);
    expect(await browser.post(handleReviewSubmit, { intent: 'pay' })).toMatchObject(status);
  });
});

describe('a payment that does not start', () => {
  it('keeps the application, counts three retries, and can be paid later', async () => {
    const browser = await atReview();
    const before = await applications();
    partner.isUp = false;
    const pay = { intent: 'pay', scripts: 'yes' };
    for (const retries of [0, 1, 2, 3, 3]) {
      expect((await browser.post(handleReviewSubmit, pay)).data).toMatchObject({
        payment: { kind: 'failed', message: 'Payment gateway refused: 503', retries },
      });
    }
    expect((await browser.get(openReview)).data).toMatchObject({ isStartFailed: true, retries: 3 });
    partner.isUp = true;
    expect((await browser.post(handleReviewSubmit, pay)).data).toMatchObject({
      payment: { kind: 'ready' },
    });
    expect(await applications()).toBe(before + 1);
  });

  it('leads to the screen of the payment without scripts', async () => {
    const browser = await atReview();
    partner.isUp = false;
    const answer = await browser.post(handleReviewSubmit, { intent: 'pay' });
    partner.isUp = true;
    expect(answer.location).toMatch(/^\/payment-cancel\?order=TRV/);
  });
});
