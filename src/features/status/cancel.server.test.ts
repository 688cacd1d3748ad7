import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { applicationById, applicationEvents } from '~/features/application/store.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { atOnce } from '~/features/desk/application/testing/at-once.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { refundOrders } from '~/features/desk/application/testing/refund-orders.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { issueCertificate } from '~/features/insurance/certificate/certificate-job.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { linesByRefunds } from '~/features/order/refunds/order-refund-store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { refundOrder } from '~/features/desk/money/refunds.server.ts';
import { cancellationView, cancelApplications } from './cancel.server.ts';
import { makeOrder, makePayment } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { platform, db, orderOf, orderOfTwo, refundsFor, cancelledAt, reviewer, choice } =
  await refundOrders({ poolSize: 12 });
const { clock } = platform;
const app = makeTestApp(platform);
const MINUTE = 60_000;

/** A paid order of a visa and an insurance, and its payer's browser. */
async function payersOrder() {
  const placed = await orderOfTwo();
  const order = await orderOf(placed.number);
  const { sessionHash } = newBrowser(platform);
  await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
  const quote = async (...applications: string[]) => {
    const asked = { ref: placed.visa.number, applications, isChosen: true, done: null };
    const view = needed(await cancellationView(platform, asked, sessionHash));
    if (view.kind !== 'quote') throw new Error(view.kind);
    return view;
  };
  const wanted = async (...numbers: string[]) => {
    const { id, shown } = await quote(...numbers);
    return { id, shown, numbers, orderNumber: placed.number, sessionHash };
  };
  return { ...placed, sessionHash, quote, wanted };
}

const emailsAbout = async (id: string) =>
  (await db.select().from(email)).filter(({ subject }) => subject === id).map(({ kind }) => kind);

describe('the payer who cancels', () => {
  test('a visa gets what was shown, by an automatic refund, and the application ends as withdrawn', async () => {
    const { number, visa, insurance, quote, wanted } = await payersOrder();
    clock.advance(61 * MINUTE);
    const shown = await quote(visa.number);
    expect(shown.total).toEqual(usd(20_00));
    expect(shown.leavesOthers).toBe(true);
    const press = await wanted(visa.number);
    expect(await cancelApplications(platform, press)).toEqual({
      ok: true,
      value: { id: press.id, total: usd(20_00) },
    });
    const [opened] = await refundsFor(number);
    expect(opened).toMatchObject({
      refund: { id: press.id, cause: 'cancelled', applicationNumbers: [visa.number] },
      payment: { state: 'requested', amountMinor: 20_00, requestedBy: 'payer' },
    });
    const lines = await linesByRefunds(db, [press.id]);
    expect(lines.map(({ code, amountMinor, reason }) => [code, amountMinor, reason])).toEqual([
      ['processing_fee', 20_00, 'still_pending'],
    ]);
    expect(await applicationById(db, visa.id)).toMatchObject({
      status: 'rejected',
      rejectionCode: 'withdrawn',
    });
    expect((await applicationById(db, insurance.id))?.status).not.toBe('rejected');
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: visa.id });
    expect(trail).toContainEqual(
      expect.objectContaining({
        action: 'cancelled_by_payer',
        staffId: null,
        detail: { cancellationId: press.id, amount: '20.00' },
      }),
    );
    expect(await emailsAbout(press.id)).toEqual(['cancelled']);
    // The traveller is the payer, whose confirmation says it all.
    expect(await emailsAbout(visa.id)).toEqual([]);
  });

  test('everything gets the sum of both, and the cover ends', async () => {
    const { number, visa, insurance, wanted } = await payersOrder();
    const press = await wanted(visa.number, insurance.number);
    expect(await cancelApplications(platform, press)).toMatchObject({
      value: { total: usd(195_10) },
    });
    expect((await refundsFor(number)).map(({ payment }) => payment.amountMinor)).toEqual([195_10]);
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
  });

  test('an insurance is offered a certificate that says so, no longer one of cover', async () => {
    const { visa, insurance, wanted } = await payersOrder();
    await issueCertificate(platform, { applicationId: insurance.id });
    const offered = async () => {
      const response = await app.request(`/en/status?ref=${insurance.number}`);
      return /Download (the cancelled )?certificate/.exec(await response.text())?.[0];
    };
    expect(await offered()).toBe('Download certificate');
    expect(
      await cancelApplications(platform, await wanted(visa.number, insurance.number)),
    ).toMatchObject({
      ok: true,
    });
    expect(await offered()).toBe('Download the cancelled certificate');
  });

  test('one of a family who is insured without an e-visa gets that insurance back, and the others stay', async () => {
    const travellers = [{ firstName: 'Anna', plan: '7-days' }];
    const placed = await makeOrder(platform, { travellers, insured: ['Uwe'] });
    await makePayment(platform, placed.order);
    const { number, id: orderId } = placed.order;
    const uwe = needed(placed.insurances.get(2));
    await issueCertificate(platform, { applicationId: uwe.id });
    const page = await (await app.request(`/en/status?ref=${number}`)).text();
    const [, card = ''] = page.split('data-testid="traveller-2"');
    expect(card.replaceAll(/<[^>]*>/g, '')).toMatch(/Uwe.*Travel insurance.*Download certificate/);
    const { sessionHash } = newBrowser(platform);
    await addPayerDevice(db, { orderId, sessionHash, createdAt: platform.now() });
    const applications = [uwe.number];
    const asked = { ref: number, applications, isChosen: true, done: null };
    const quote = needed(await cancellationView(platform, asked, sessionHash));
    if (quote.kind !== 'quote') throw new Error(quote.kind);
    // 90 % of 149.00.
    expect(quote.total).toEqual(usd(134_10));
    const { id, shown } = quote;
    const press = { id, shown, numbers: applications, orderNumber: number, sessionHash };
    expect((await cancelApplications(platform, press)).ok).toBe(true);
    expect((await refundsFor(number)).map(({ payment }) => payment.amountMinor)).toEqual([134_10]);
    expect(await cancelledAt(uwe.id)).toEqual(platform.now());
    for (const one of [placed.visas[0], placed.insurances.get(1)]) {
      expect((await applicationById(db, needed(one).id))?.status).not.toBe('rejected');
    }
  });

  test('too late for a refund cancels without one', async () => {
    const { number, visa, wanted } = await payersOrder();
    clock.advance(25 * 60 * MINUTE);
    const press = await wanted(visa.number);
    expect(await cancelApplications(platform, press)).toMatchObject({
      value: { total: usd(0) },
    });
    expect(await refundsFor(number)).toEqual([]);
    expect((await applicationById(db, visa.id))?.status).toBe('rejected');
    expect(await emailsAbout(press.id)).toEqual(['cancelled']);
  });

  test('twice with one page changes nothing the second time', async () => {
    const { number, visa, wanted } = await payersOrder();
    const press = await wanted(visa.number);
    expect((await cancelApplications(platform, press)).ok).toBe(true);
    expect(await cancelApplications(platform, press)).toEqual({
      ok: true,
      value: { id: press.id, total: null },
    });
    expect(await refundsFor(number)).toHaveLength(1);
    expect(await applicationEvents(db, visa.id)).toHaveLength(3);
  });

  test('after the amount has changed is asked again, and nothing is stored', async () => {
    const { number, visa, wanted } = await payersOrder();
    const press = await wanted(visa.number);
    clock.advance(60 * MINUTE + 1);
    expect(await cancelApplications(platform, press)).toEqual({
      ok: false,
      error: { code: 'changed' },
    });
    expect(await refundsFor(number)).toEqual([]);
    expect((await applicationById(db, visa.id))?.status).toBe('pending');
    expect(await emailsAbout(press.id)).toEqual([]);
    expect(await cancelApplications(platform, await wanted(visa.number))).toMatchObject({
      value: { total: usd(20_00) },
    });
  });

  test('what was sent to the authorities meanwhile is asked again', async () => {
    const { visa, wanted } = await payersOrder();
    clock.advance(2 * 60 * MINUTE);
    const press = await wanted(visa.number);
    await decideApplication(platform, reviewer, {
      kind: 'start_processing',
      applicationId: visa.id,
    });
    expect(await cancelApplications(platform, press)).toMatchObject({
      error: { code: 'changed' },
    });
  });

  test('what staff are refunding already cannot cancel it', async () => {
    const { number, visa, wanted } = await payersOrder();
    const press = await wanted(visa.number);
    const given = { choice: choice('cancelled', visa.number) };
    expect((await refundOrder(platform, reviewer, await orderOf(number), given)).ok).toBe(true);
    expect(await cancelApplications(platform, press)).toMatchObject({
      error: { code: 'not_open' },
    });
    expect(await refundsFor(number)).toHaveLength(1);
  });
});

describe('somebody else', () => {
  test.each(['without a session', 'with a session of their own'])(
    '%s cancels nothing',
    async (who) => {
      const { visa, wanted } = await payersOrder();
      const sessionHash = who === 'without a session' ? null : newBrowser(platform).sessionHash;
      const press = { ...(await wanted(visa.number)), sessionHash };
      expect(await cancelApplications(platform, press)).toMatchObject({
        error: { code: 'not_payer' },
      });
      const asked = { ref: visa.number, applications: [], isChosen: false, done: press.id };
      expect(await cancellationView(platform, asked, sessionHash)).toEqual({ kind: 'link' });
      expect((await applicationById(db, visa.id))?.status).toBe('pending');
    },
  );

  test('the payer of another order cancels none of this one', async () => {
    const mine = await payersOrder();
    const theirs = await payersOrder();
    const press = { ...(await mine.wanted(mine.visa.number)), numbers: [theirs.visa.number] };
    expect(await cancelApplications(platform, press)).toMatchObject({
      error: { code: 'not_open' },
    });
    expect((await applicationById(db, theirs.visa.id))?.status).toBe('pending');
  });
});

describe('at the same moment, each on a connection of its own,', () => {
  test('ten presses of one page cancel once', async () => {
    const { number, visa, wanted } = await payersOrder();
    const press = await wanted(visa.number);
    const outcomes = await atOnce(
      platform,
      'application',
      Array.from({ length: 10 }, () => () => cancelApplications(platform, press)),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await refundsFor(number)).toHaveLength(1);
    expect(await emailsAbout(press.id)).toEqual(['cancelled']);
  });

  test('two pages cancel once, and the second is told', async () => {
    const { number, visa, wanted } = await payersOrder();
    const presses = [await wanted(visa.number), await wanted(visa.number)];
    const outcomes = await atOnce(
      platform,
      'application',
      presses.map((press) => () => cancelApplications(platform, press)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ error: { code: 'not_open' } });
    expect(await refundsFor(number)).toHaveLength(1);
  });

  test.each(['approve', 'reject'] as const)(
    'a cancellation and a reviewer who presses %s: one wins, the other is told',
    async (kind) => {
      const staff = await storeStaff(platform, { name: 'B. Demir' });
      for (let round = 0; round < 4; round += 1) {
        const { number, visa, wanted } = await payersOrder();
        const press = await wanted(visa.number);
        const decision = { kind, applicationId: visa.id, reason: 'Unreadable' };
        const runs = [
          () => cancelApplications(platform, press),
          () => decideApplication(platform, staff, decision),
        ];
        const outcomes = await atOnce<{ ok: boolean }>(
          platform,
          'application',
          round % 2 === 0 ? runs : runs.toReversed(),
        );
        const [cancelled, decided] = round % 2 === 0 ? outcomes : outcomes.toReversed();
        expect([cancelled?.ok, decided?.ok].filter(Boolean)).toHaveLength(1);
        const status = kind === 'approve' && decided?.ok ? 'approved' : 'rejected';
        const found = await applicationById(db, visa.id);
        expect(found?.status).toBe(status);
        expect(found?.rejectionCode === 'withdrawn').toBe(cancelled?.ok);
        // Our own team's rejection gives back what cancelling would have.
        expect(await refundsFor(number)).toHaveLength(status === 'rejected' ? 1 : 0);
        expect(cancelled?.ok ? decided : cancelled).toMatchObject({
          error: { code: cancelled?.ok ? 'stale' : 'not_open' },
        });
      }
    },
  );
});
