import { describe, expect, it } from 'vitest';
import {
  lockApplication,
  applicationsByOrder,
  changeStatus,
} from '~/features/application/store.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { linesByOrder, payOrder } from '~/features/order/store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeBrowser, southAfrican } from '~/features/visa/testing/sample-browser.server.ts';
import { openReview, handleReviewSubmit } from '~/features/visa/wizard/review.server.ts';
import { loader as openChangePage, action as handleChangeSubmit } from './change.tsx';
import { submittedApplications } from '~/features/visa/testing/submitted.ts';
import { needed } from '../../../test/needed.ts';

const { changed, db, open, orderOf, payments, platform, stored, submitted, take } =
  await submittedApplications();

describe('an application that cannot be changed', () => {
  const why = async (browser: Awaited<ReturnType<typeof submitted>>['browser'], path: string) => {
    const { status, data } = await browser.get(openChangePage, path);
    return { status, data };
  };

  it('belongs to another browser: nothing of it is shown', async () => {
    const { path } = await submitted();
    const stranger = makeBrowser(platform, { payments });
    expect(await why(stranger, path)).toMatchObject({ status: 403, data: { why: 'not_payer' } });
    await stranger.post(handleChangeSubmit, { intent: 'change' }, path);
    expect(stranger.cookies.has('lale_draft')).toBe(false);
    const unknown = '/application/change?ref=TRV0000000000000';
    expect((await why(stranger, unknown)).status).not.toBe(200);
  });

  const ends: [string, (number: string) => Promise<unknown>][] = [
    [
      'paid',
      async (number) => {
        const order = await orderOf(number);
        const [attempt] = await attemptsByReference(db, order.number);
        const paid = { number: order.number, attemptId: needed(attempt).id, at: NOW };
        await db.transaction((tx) => payOrder(tx, paid));
      },
    ],
    [
      'decided',
      async (number) => {
        const { id } = await stored(number);
        const rejection = { code: 'other' as const, words: 'No' };
        const change = { id, from: 'pending', to: 'rejected', at: NOW, rejection, staffId: null };
        await db.transaction(async (tx) => {
          await lockApplication(tx, id);
          await changeStatus(tx, { ...change, from: 'pending', to: 'rejected' });
        });
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
      await early.browser.post(handleChangeSubmit, { intent: 'change' }, early.path);
      expect(await early.browser.get(open('details'))).toMatchObject({ status: 302 });

      const late = await submitted();
      await late.browser.post(handleChangeSubmit, { intent: 'change' }, late.path);
      await late.browser.post(take('details'), changed);
      await end(late.number);
      expect(
        await late.browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '94.00' }),
      ).toMatchObject({ status: 303, location: late.path });
      expect(await stored(late.number)).toMatchObject({ lastName: 'Nkosi' });
      expect(await late.browser.get(openReview)).toMatchObject({ location: late.path });
    },
  );
});

it.each(['pending', 'authorised'])(
  'the payment page of a submitted application leads to its status while an attempt is %s',
  async (state) => {
    const { browser, number } = await submitted();
    expect(await browser.get(openReview)).toMatchObject({ data: { kind: 'submitted' } });
    const { number: reference } = await orderOf(number);
    await platform.pool.query(`update payment_attempt set state = $1 where reference = $2`, [
      state,
      reference,
    ]);
    expect(await browser.get(openReview)).toMatchObject({ location: `/status?ref=${number}` });
    const pressed = await browser.post(handleReviewSubmit, { intent: 'pay' });
    expect(pressed).toMatchObject({ location: `/status?ref=${number}` });
    expect(await attemptsByReference(db, reference)).toHaveLength(1);
  },
);

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
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(take('details'), changed);
    await browser.post(take('arrival'), {
      ...changed,
      processingType: 'standard',
      'arrivalDate-day': '20',
    });
    const { data } = await browser.get(openReview);
    expect(data).toMatchObject({ quoted: { choice: '30-days', total: { minor: 94_00 + 189_00 } } });
    await browser.post(handleReviewSubmit, withPlan('30-days', '283.00'));
    const order = await orderOf(number);
    expect(order).toMatchObject({ number: group, amountMinor: 283_00 });
    const [visa, insurance] = await applicationsByOrder(db, group);
    expect(visa).toMatchObject({ kind: 'visa', lastName: 'Dlamini' });
    expect(insurance).toMatchObject({
      kind: 'insurance',
      lastName: 'Dlamini',
      startsOn: '2027-01-20',
      service: '30-days',
    });
    const details = await readInsuranceDetails(db, platform.sealer, needed(insurance).id);
    expect(details).toMatchObject({ coverUntil: '2027-02-18' });
  });

  it('takes another plan, or none any more', async () => {
    const { browser, number, path } = await submitted('30-days');
    const { number: group } = await orderOf(number);
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(handleReviewSubmit, withPlan('90-days', '393.00'));
    expect((await applicationsByOrder(db, group))[1]).toMatchObject({ service: '90-days' });

    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(handleReviewSubmit, withPlan('none', '94.00'));
    const order = await orderOf(number);
    expect(order).toMatchObject({ number: group, amountMinor: 94_00 });
    expect(await applicationsByOrder(db, group)).toMatchObject([{ kind: 'visa' }]);
    expect(await linesByOrder(db, order.id)).toHaveLength(2);
  });

  it('says that a child cannot add the insurance', async () => {
    const { browser, path } = await submitted('30-days');
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(take('details'), { ...southAfrican, 'dateOfBirth-year': '2015' });
    expect((await browser.get(openReview)).data).toMatchObject({
      isPlanGone: true,
      quoted: { choice: null, total: { minor: 94_00 } },
    });
  });

  it('offers none to an order that was placed without', async () => {
    const { browser, path } = await submitted();
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    expect((await browser.get(openReview)).data).toMatchObject({ quoted: { offer: null } });
  });
});
