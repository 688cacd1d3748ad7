import { orderOfApplication, type Order } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Where a submitted draft leads: to its payment, or else to its status page. */
export type NextPage = { url: string; isUnpaid: boolean };

/** The order of a submitted draft while it is unpaid; null once it is paid or closed. */
export async function orderToPay(
  { db }: Pick<Platform, 'db'>,
  number: string,
): Promise<Order | null> {
  const order = await orderOfApplication(db, number);
  return order && !order.paidAt && !order.closedAt ? order : null;
}

/** `payment`: the form's payment page. */
export const nextPage = async (
  platform: Pick<Platform, 'db'>,
  number: string,
  payment: string,
): Promise<NextPage> =>
  (await orderToPay(platform, number))
    ? { url: payment, isUnpaid: true }
    : { url: `/status?ref=${number}`, isUnpaid: false };
