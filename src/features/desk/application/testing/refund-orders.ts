import { addDays, toPlainDate, UTC } from '~/base/dates/dates.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import type { RefundCause } from '~/features/order/refund-policy.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { useDatabase } from '../../../../../test/database.ts';
import { makeTestPlatform } from '../../../../../test/platform.ts';

import { storeStaff } from './case-store.server.ts';
import { makeOrder, seedSales } from '../../../../../test/make.ts';
import { needed } from '../../../../../test/needed.ts';

/** A desk with its staff, and paid orders to refund. Call it at the top of a test file. */
export async function refundOrders({ poolSize }: { poolSize?: number } = {}) {
  const platform = await makeTestPlatform(
    poolSize === undefined ? {} : { database: await useDatabase({ poolSize }) },
  );
  const { db } = platform;
  await seedSales(platform);
  const reviewer = await storeStaff(platform, { name: 'E. Aydın' });
  const manager = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });
  const administrator = await storeStaff(platform, { name: 'A. Admin', role: 'administrator' });

  const orderOf = async (number: string) => needed(await orderByNumber(db, number));
  const refundsFor = async (number: string) => refundsByOrder(db, (await orderOf(number)).id);
  const cancelledAt = async (id: string) =>
    (await readInsuranceDetails(db, platform.sealer, id))?.cancelledAt;
  const choice = (cause: RefundCause, ...applications: string[]) => ({
    cause,
    askedAt: platform.now(),
    applications,
  });

  /** A visa and an insurance in one paid order of 283.00. */
  async function orderOfTwo() {
    const arrivalDate = addDays(toPlainDate(platform.now(), UTC), 40);
    const travellers = [{ firstName: 'Thandi', arrivalDate, plan: '30-days' }];
    const { order, visas, insurances } = await makeOrder(platform, { travellers, paid: true });
    // So that no missed promise changes what goes back.
    await platform.pool.query('update application set promised_at = null where order_number = $1', [
      order.number,
    ]);
    return {
      number: order.number,
      visa: needed(visas[0]),
      insurance: needed(insurances.get(1)),
    };
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
