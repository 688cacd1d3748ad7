import { beforeAll, describe, expect, test } from 'vitest';
import { formatMoney, usd } from '~/base/money.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { refundOrder, withdrawHeldRefund } from '~/features/desk/money/refunds.server.ts';
import { atOnce } from '~/features/desk/application/testing/at-once.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { refundOrders } from '~/features/desk/application/testing/refund-orders.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { insuranceJobs } from '~/features/insurance/certificate/certificate-job.server.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import type { RejectionCode } from '~/features/application/rejection.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { creditReason } from '~/features/order/receipt/issue-receipt.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { cancellationView, cancelApplications } from './cancel.server.ts';
import { quoteRejection } from './rejection-refund.server.ts';
import { makePayment, makeOrder, seedSales } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { platform, db, choice, manager, orderOf, orderOfTwo, refundsFor, reviewer } =
  await refundOrders({ poolSize: 12 });
const { clock } = platform;
const app = makeTestApp(platform);
const MINUTE = 60_000;
const DAY = 24 * 60;

beforeAll(() => seedSales(platform));

async function reject(found: Application, code: RejectionCode = 'details_differ') {
  const asked = { kind: 'reject', applicationId: found.id, code } as const;
  return decideApplication(platform, reviewer, asked);
}

/** What a payer who cancels at this moment is shown, in cents. */
async function cancellingReturns({ number, visa }: { number: string; visa: Application }) {
  const { sessionHash } = newBrowser(platform);
  const { id: orderId } = await orderOf(number);
  await addPayerDevice(db, { orderId, sessionHash, createdAt: platform.now() });
  const applications = [visa.number];
  const asked = { ref: visa.number, applications, isChosen: true, done: null };
  const view = needed(await cancellationView(platform, asked, sessionHash));
  if (view.kind !== 'quote') throw new Error(view.kind);
  return { minor: view.total.minor, shown: view.shown, id: view.id, sessionHash };
}

const jobs = { ...emailJobs(platform), ...insuranceJobs(platform) };

async function emailAbout(found: Application): Promise<string> {
  platform.sent.length = 0;
  await platform.runJobs(jobs);
  const message = platform.sent.find(({ subject }) =>
    subject.replaceAll(/\s/g, '').includes(found.number),
  );
  return needed(message).text;
}

const statusPage = async ({ number }: Application) =>
  (await app.request(`/en/status?ref=${number}`)).text();

const OURS = 'Our team made this decision';
const THEIRS = 'The Turkish authorities made this decision';

describe('a rejected visa of $69.00 and $25.00', () => {
  test.each([
    // status before, minutes after payment, reason, cents, who
    ['pending', 0, 'details_differ', 25_00, OURS],
    ['pending', 60, 'details_differ', 25_00, OURS],
    ['pending', 61, 'duplicate', 20_00, OURS],
    ['pending', DAY, 'document_not_accepted', 20_00, OURS],
    ['pending', DAY + 1, 'details_differ', 0, OURS],
    ['pending', 31 * DAY, 'details_differ', 0, OURS],
    ['pending', 3, 'authorities_refused', 0, THEIRS],
    ['processing', 3, 'details_differ', 0, THEIRS],
    ['processing', 61, 'authorities_refused', 0, THEIRS],
    ['processing', DAY + 1, 'authorities_refused', 0, THEIRS],
  ] as const)(
    '%s, after %i minutes, for %s, gives %i cents back: the same in preview, email and page',
    async (before, minutes, code, minor, who) => {
      const { number, visa } = await orderOfTwo();
      // The email about the payment, which comes first, waits for the certificate.
      await platform.runJobs(jobs);
      clock.advance(minutes * MINUTE);
      if (before === 'processing') {
        const start = { kind: 'start_processing', applicationId: visa.id } as const;
        expect((await decideApplication(platform, reviewer, start)).ok).toBe(true);
      }
      const found = needed(await applicationById(db, visa.id));
      const cancelling = await cancellingReturns({ number, visa });
      if (who === OURS) expect(minor).toBe(cancelling.minor);
      const planned = { kind: 'reject', fileId: null, rejectionCode: code, words: null } as const;
      const preview = await previewDecision(platform, found, planned);
      const quote = await quoteRejection(db, found, { code, at: platform.now() });
      expect(quote?.total).toEqual(usd(minor));
      expect((await reject(visa, code)).ok).toBe(true);
      const refunds = await refundsFor(number);
      expect(refunds.map(({ payment }) => payment.amountMinor)).toEqual(minor ? [minor] : []);
      if (minor > 0) {
        expect(refunds).toMatchObject([
          {
            refund: { cause: 'rejected_by_us', applicationNumbers: [visa.number] },
            payment: { state: 'requested', requestedBy: 'system' },
          },
        ]);
      }
      const sum = `Your refund is ${formatMoney(usd(minor), 'en')}`;
      const shown = [preview.html, await emailAbout(visa), await statusPage(visa)];
      for (const text of shown) {
        expect(text).toContain(sum);
        expect(text).toContain(who);
      }
    },
  );

  test('that missed its promise gives all of processing back, however late', async () => {
    const { number, visa } = await orderOfTwo();
    await platform.pool.query(
      `update application set promised_at = $1::timestamptz + interval '1 day' where id = $2`,
      [platform.now(), visa.id],
    );
    clock.advance(40 * DAY * MINUTE);
    expect((await reject(visa)).ok).toBe(true);
    expect((await refundsFor(number)).map(({ payment }) => payment.amountMinor)).toEqual([25_00]);
  });

  test('of a family gives back of that traveller alone', async () => {
    const placed = await makeOrder(platform, {
      travellers: [{ firstName: 'Anna', plan: '30-days' }, { firstName: 'Bela' }],
    });
    const { order } = placed;
    await makePayment(platform, order);
    const bela = needed(placed.visas[1]);
    expect((await reject(bela)).ok).toBe(true);
    expect((await reject(needed(placed.insurances.get(1)), 'not_insurable')).ok).toBe(true);
    const refunds = await refundsByOrder(db, order.id);
    expect(refunds.map(({ refund }) => [refund.cause, refund.applicationNumbers])).toEqual(
      expect.arrayContaining([
        ['rejected_by_us', [bela.number]],
        ['insurance_rejected', [needed(placed.insurances.get(1)).number]],
      ]),
    );
  });

  test('withdrawn at the traveller’s wish gives back the same, as a cancellation', async () => {
    const { number, visa } = await orderOfTwo();
    expect((await reject(visa, 'withdrawn')).ok).toBe(true);
    expect(await refundsFor(number)).toMatchObject([
      { refund: { cause: 'cancelled' }, payment: { amountMinor: 25_00 } },
    ]);
  });

  test('while a refund waits for a release: taken back, it gives back what was due at the rejection', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    const opened = await refundOrder(platform, reviewer, await orderOf(number), {
      choice: choice('duplicate_payment', visa.number, insurance.number),
    });
    if (!opened.ok) throw new Error(opened.error.code);
    expect(opened.value.payment.state).toBe('held');
    expect((await reject(visa)).ok).toBe(true);
    expect(await refundsFor(number)).toHaveLength(1);
    clock.advance(2 * DAY * MINUTE);
    expect((await withdrawHeldRefund(platform, manager, opened.value.refund.id)).ok).toBe(true);
    const left = (await refundsFor(number)).filter(({ payment }) => payment.state !== 'withdrawn');
    expect(left).toMatchObject([
      {
        refund: { cause: 'rejected_by_us', requestedAt: platform.now() },
        payment: { amountMinor: 25_00 },
      },
    ]);
  });
});

describe('at the same moment as a rejection', () => {
  const refunded = async (number: string) =>
    (await refundsFor(number)).reduce((sum, { payment }) => sum + payment.amountMinor, 0);

  test('the payer cancels: one of both wins, and the money goes back once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { number, visa } = await orderOfTwo();
      const { shown, id, sessionHash } = await cancellingReturns({ number, visa });
      const press = { id, shown, sessionHash, numbers: [visa.number], orderNumber: number };
      const runs = [
        async () => (await reject(visa)).ok,
        async () => (await cancelApplications(platform, press)).ok,
      ];
      const both = await atOnce(platform, 'application', round % 2 ? runs : runs.toReversed());
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await refunded(number)).toBe(25_00);
    }
  });

  test('staff refund everything: never more than was paid', async () => {
    const boss = await storeStaff(platform, { role: 'manager' });
    for (let round = 0; round < 4; round += 1) {
      const { number, visa } = await orderOfTwo();
      const order = await orderOf(number);
      const all = { choice: choice('not_submitted', visa.number) };
      const runs = [
        async () => (await reject(visa)).ok,
        async () => (await refundOrder(platform, boss, order, all)).ok,
      ];
      await atOnce(platform, 'application', round % 2 ? runs : runs.toReversed());
      expect(await refunded(number)).toBe(94_00);
    }
  });
});

test('the credit note of a rejection does not say that the traveller cancelled', () => {
  expect(creditReason('rejected_by_us', 'still_pending')).toBe('rejected_by_us');
  expect(creditReason('cancelled', 'still_pending')).toBe('still_pending');
});
