import { describe, expect, it } from 'vitest';
import { applicationEvents } from '~/features/application/store.server.ts';
import { linesByOrder } from '~/features/order/store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { indian, southAfrican } from '~/features/visa/testing/sample-browser.server.ts';
import {
  handleNationalitySubmit,
  handleSupportingDocumentSubmit,
} from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit } from '~/features/visa/wizard/review.server.ts';
import { loader as openChangePage, action as handleChangeSubmit } from './change.tsx';
import { submittedApplications } from '~/features/visa/testing/submitted.ts';

const { changed, db, open, orderOf, platform, stored, submitted, take } =
  await submittedApplications();

describe('an unpaid application', () => {
  it('is opened again with every answer, and stays as it was until it is submitted', async () => {
    const { browser, number, path } = await submitted();
    expect((await browser.get(openChangePage, path)).data).toMatchObject({ kind: 'asked', number });
    expect(await browser.post(handleChangeSubmit, { intent: 'change' }, path)).toMatchObject({
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
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(take('details'), changed);
    await browser.post(take('arrival'), changed);
    const paid = await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '244.00' });
    expect(paid).toMatchObject({ status: 303 });
    const order = await orderOf(number);
    expect(order).toMatchObject({
      id: before.id,
      number: before.number,
      amountMinor: 244_00,
      customerName: 'Thandi Dlamini',
    });
    expect(await linesByOrder(db, order.id)).toMatchObject([
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
    const events = await applicationEvents(db, application.id);
    expect(events.map(({ kind }) => kind)).toEqual(['submitted', 'changed']);
    const amounts = (await attemptsByReference(db, order.number)).map(
      ({ amountMinor, supersededAt }) => [amountMinor, supersededAt !== null],
    );
    // They began at the same moment of the test's clock.
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
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(handleNationalitySubmit, indian);
    await browser.post(handleSupportingDocumentSubmit, indian);
    for (const step of ['arrival', 'prerequisites', 'details'] as const) {
      await browser.post(take(step), indian);
    }
    await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '184.00' });
    const application = await stored(number);
    expect(application).toMatchObject({ countryCode: 'IND', amountMinor: 184_00 });
    expect(await readVisaDetails(db, platform.sealer, application.id)).toMatchObject({
      supportingDocumentType: 'visa',
      entries: 'single',
      purpose: null,
    });
  });

  it('stays as it was where the new country gets no e-visa, and says so', async () => {
    const { browser, number, path } = await submitted();
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    const german = { countryId: 'DEU', documentType: 'ordinary' };
    expect(await browser.post(handleNationalitySubmit, german)).toMatchObject({
      data: { noEvisa: true },
    });
    expect((await browser.get(open('nationality'))).data).toMatchObject({
      view: { changing: number },
    });
    expect(await stored(number)).toMatchObject({ countryCode: 'ZAF' });
    expect(await browser.post(handleChangeSubmit, { intent: 'leave' }, path)).toMatchObject({
      location: `/status?ref=${number}`,
    });
    expect(browser.cookies.has('lale_draft')).toBe(false);
  });

  it('is not stored at a price that the page did not show, nor by a page without its answers', async () => {
    const { browser, number, path } = await submitted();
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(take('arrival'), changed);
    expect(
      await browser.post(handleReviewSubmit, { intent: 'pay', totalAmount: '94.00' }),
    ).toMatchObject({
      status: 409,
      data: { newTotal: { minor: 244_00 } },
    });
    // The button of a page that was opened before, in another tab.
    expect(await browser.post(handleReviewSubmit, { intent: 'pay' })).toMatchObject({
      location: '/application/review',
    });
    expect(await stored(number)).toMatchObject({ service: 'standard', amountMinor: 94_00 });
  });

  it('continues where it was left, and does not begin again', async () => {
    const { browser, path } = await submitted();
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    await browser.post(take('details'), changed);
    await browser.post(handleChangeSubmit, { intent: 'change' }, path);
    expect((await browser.get(open('details'))).data).toMatchObject({
      view: { typed: { lastName: 'Dlamini' } },
    });
  });

  it('warns where another application was begun in this browser', async () => {
    const { browser, path } = await submitted();
    await browser.post(handleReviewSubmit, { intent: 'another' });
    expect((await browser.get(openChangePage, path)).data).toMatchObject({ loses: false });
    await browser.post(handleNationalitySubmit, indian);
    expect((await browser.get(openChangePage, path)).data).toMatchObject({ loses: true });
  });
});
