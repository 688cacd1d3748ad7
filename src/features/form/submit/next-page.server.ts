import { orderOfApplication, type Order } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Where somebody whose draft was submitted belongs: to its payment, or else to its status. */
export type NextPage = { url: string; isUnpaid: boolean };

/** The order of a submitted draft while it waits for its payment; null once it is paid, or was closed by a rejection. */
export async function orderToPay(
  { db }: Pick<Platform, 'db'>,
  number: string,
): Promise<Order | null> {
  const order = await orderOfApplication(db, number);
  return order && !order.paidAt && !order.closedAt ? order : null;
}

/** `payment`: the page on which it is paid. */
export const nextPage = async (
  platform: Pick<Platform, 'db'>,
  number: string,
  payment: string,
): Promise<NextPage> =>
  (await orderToPay(platform, number))
    ? { url: payment, isUnpaid: true }
    : { url: `/status?ref=${number}`, isUnpaid: false };
