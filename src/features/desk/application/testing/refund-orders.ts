import { randomUUID } from 'node:crypto';
import { usd } from '~/base/money.ts';
import { insuranceDetailsOf } from '~/features/insurance/store/store.server.ts';
import { placeInsurance } from '~/features/insurance/testing/sample-insurance.server.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import type { RefundCause } from '~/features/order/refund-cause.ts';
import { insertOrder } from '~/features/order/new-order-store.server.ts';
import { orderByNumber, payOrder } from '~/features/order/store.server.ts';
import { useDatabase } from '../../../../../test/database.ts';
import { makeTestPlatform } from '../../../../../test/platform.ts';
import { placeApplication } from '../../../../../test/applications.ts';
import { needed } from '../../../../../test/purchases.ts';
import { storeStaff } from './case-store.server.ts';
import { storeCapture } from '~/features/payment/testing/sample-attempts.ts';

/** A desk with its staff, and paid orders to refund. Call it at the top of a test file. */
export async function refundOrders({ poolSize }: { poolSize?: number } = {}) {
  const platform = await makeTestPlatform(
    poolSize === undefined ? {} : { database: await useDatabase({ poolSize }) },
  );
  const { db } = platform;
  const reviewer = await storeStaff(platform, { name: 'E. Aydın' });
  const manager = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });
  const administrator = await storeStaff(platform, { name: 'A. Admin', role: 'administrator' });

  const orderOf = async (number: string) => needed(await orderByNumber(db, number));
  const refundsFor = async (number: string) => refundsOfOrder(db, (await orderOf(number)).id);
  const cancelledAt = async (id: string) =>
    (await insuranceDetailsOf(db, platform.sealer, id))?.cancelledAt;
  const choice = (cause: RefundCause, ...applications: string[]) => ({
    cause,
    askedAt: platform.now(),
    applications,
  });

  /** A visa and an insurance in one paid order of 283.00. */
  async function orderOfTwo() {
    const { application: visa } = await placeApplication(platform);
    const insurance = await placeInsurance(platform);
    const number = `TRG${randomUUID().slice(0, 13).toUpperCase()}`;
    const at = platform.now();
    await db.transaction(async (tx) => {
      const line = (applicationNumber: string, code: string, minor: number) => ({
        applicationNumber,
        code,
        detail: null,
        amount: usd(minor),
      });
      await insertOrder(
        tx,
        {
          number,
          language: 'en',
          customer: { name: 'Sofía Hernández Ruiz', email: visa.email },
          sessionHash: null,
          lines: [
            line(visa.number, 'evisa_fee', 69_00),
            line(visa.number, 'processing_fee', 25_00),
            line(insurance.number, 'insurance_plan', 189_00),
          ],
        },
        at,
      );
      const attemptId = await storeCapture(tx, { number, amountMinor: 283_00 }, at);
      await payOrder(tx, { number, attemptId, at });
    });
    await platform.pool.query(
      `update application set order_number = $1, paid_at = $2 where number = any ($3)`,
      [number, at, [visa.number, insurance.number]],
    );
    return { number, visa, insurance };
  }
  return {
    administrator,
    cancelledAt,
    choice,
    db,
    manager,
    orderOf,
    orderOfTwo,
    platform,
    refundsFor,
    reviewer,
  };
}
