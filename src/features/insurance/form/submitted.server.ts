import { orderOfApplication } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft } from '../store/draft.server.ts';

export type Lead = { url: string; isUnpaid: boolean };

/** Where somebody whose draft was submitted belongs: to its payment, or else to its status; null before that. */
export async function leadSubmitted(
  { db }: Pick<Platform, 'db'>,
  { applicationNumber }: Draft,
): Promise<Lead | null> {
  if (applicationNumber === null) return null;
  const order = await orderOfApplication(db, applicationNumber);
  return order && !order.paidAt && !order.closedAt
    ? { url: `/insurance/payment?ref=${applicationNumber}`, isUnpaid: true }
    : { url: `/status?ref=${applicationNumber}`, isUnpaid: false };
}
