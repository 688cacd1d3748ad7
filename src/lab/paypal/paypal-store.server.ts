import { z } from 'zod';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { documents, storedMoment } from '../documents.server.ts';
import { captureOutcomes, deliveryManners } from '../scenarios.ts';

const order = z.object({
  id: z.string(),
  referenceId: z.string(),
  customId: z.string().nullable(),
  description: z.string().nullable(),
  value: z.string(),
  currency: z.string(),
  brand: z.string().nullable(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(['PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED']),
  /** The result of its capture and how its webhooks are sent, as a tester chose. */
  outcome: z.enum(captureOutcomes).default('completed'),
  deliveries: z.enum(deliveryManners).default('once'),
  createdAt: storedMoment,
});
export type StoredOrder = z.output<typeof order>;

const capture = z.object({
  id: z.string(),
  orderId: z.string(),
  customId: z.string().nullable(),
  value: z.string(),
  currency: z.string(),
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  createdAt: storedMoment,
});
export type StoredCapture = z.output<typeof capture>;

const refund = z.object({
  id: z.string(),
  captureId: z.string(),
  orderId: z.string(),
  customId: z.string().nullable(),
  value: z.string(),
  currency: z.string(),
  status: z.enum(['COMPLETED', 'PENDING', 'FAILED']),
  createdAt: storedMoment,
});
export type StoredRefund = z.output<typeof refund>;

const id = (body: { id: string }) => body.id;
export const orders = documents({ partner: 'paypal', kind: 'order', shape: order, id });
export const captures = documents({ partner: 'paypal', kind: 'capture', shape: capture, id });
export const refunds = documents({ partner: 'paypal', kind: 'refund', shape: refund, id });

/** An order with its captures and refunds. */
export type WholeOrder = { order: StoredOrder; captures: StoredCapture[]; refunds: StoredRefund[] };

export async function wholeOrder(db: Queryable, orderId: string): Promise<WholeOrder | null> {
  const found = await orders.get(db, orderId);
  if (!found) return null;
  return {
    order: found,
    captures: await captures.list(db, { orderId }),
    refunds: await refunds.list(db, { orderId }),
  };
}

/** The order with a merchant's custom id. */
export const orderByCustomId = async (
  db: Queryable,
  customId: string,
): Promise<StoredOrder | null> => (await orders.list(db, { customId }))[0] ?? null;
