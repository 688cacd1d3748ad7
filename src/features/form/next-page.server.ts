import { payRefusal } from '~/features/order/may-pay.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import { orderOfApplication, type Order } from '~/features/order/store.server.ts';
import type { DraftForm } from './draft/draft-content.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Where a submitted draft leads: to its payment, or else to its status page. */
export type NextPage = { url: string; isUnpaid: boolean };

/** The order of a submitted draft while it may be paid; null where the status page says why not (`payRefusal`). */
export async function orderToPay(
  { db }: Pick<Platform, 'db'>,
  number: string,
): Promise<Order | null> {
  const order = await orderOfApplication(db, number);
  if (!order) return null;
  return payRefusal(order, await attemptsFor(db, order.number)) === null ? order : null;
}

/** The next page of a draft that was submitted under this number. */
export async function nextPageOf(
  { paymentPath }: DraftForm,
  platform: Pick<Platform, 'db'>,
  number: string,
): Promise<NextPage> {
  return (await orderToPay(platform, number))
    ? { url: paymentPath(number), isUnpaid: true }
    : { url: `/status?ref=${number}`, isUnpaid: false };
}
