import { z } from 'zod';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { documents, storedMoment } from '../documents.server.ts';
import { deliveryManners } from '../scenarios.ts';

/** A session has one payment at most. */
const session = z.object({
  id: z.string(),
  clientReferenceId: z.string().nullable(),
  orderMark: z.string().nullable(),
  name: z.string(),
  /** In cents. */
  amount: z.int(),
  currency: z.string(),
  successUrl: z.string(),
  cancelUrl: z.string().nullable(),
  /** An open one is expired from `expiresAt` on. */
  status: z.enum(['open', 'complete', 'expired']),
  expiresAt: storedMoment,
  payment: z.enum(['none', 'processing', 'succeeded', 'failed']).default('none'),
  /** Set with the payment. */
  intentId: z.string().nullable().default(null),
  chargeId: z.string().nullable().default(null),
  /** What was captured, in cents. */
  captured: z.int().nullable().default(null),
  paidAt: storedMoment.nullable().default(null),
  deliveries: z.enum(deliveryManners).default('once'),
  createdAt: storedMoment,
});
export type StoredSession = z.output<typeof session>;

const refund = z.object({
  id: z.string(),
  sessionId: z.string(),
  refundMark: z.string().nullable(),
  /** In cents. */
  amount: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  createdAt: storedMoment,
});
export type StoredRefund = z.output<typeof refund>;

const dispute = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: z.enum(['needs_response', 'under_review', 'won', 'lost']),
  createdAt: storedMoment,
});
export type StoredDispute = z.output<typeof dispute>;

const id = (body: { id: string }) => body.id;
export const sessions = documents({ partner: 'stripe', kind: 'session', shape: session, id });
export const refunds = documents({ partner: 'stripe', kind: 'refund', shape: refund, id });
export const disputes = documents({ partner: 'stripe', kind: 'dispute', shape: dispute, id });

/** The session of a charge or of the merchant's id. */
export const sessionBy = async (
  db: Queryable,
  name: 'chargeId' | 'clientReferenceId',
  value: string,
): Promise<StoredSession | null> => (await sessions.list(db, { [name]: value }))[0] ?? null;

/** The refunds of a session's charge, newest first. */
export const refundsOf = (db: Queryable, sessionId: string): Promise<StoredRefund[]> =>
  refunds.list(db, { sessionId }, { newestFirst: true });

/** A movement of money: a session's charge, or a refund of it. */
export type Moved = { at: Date; session: StoredSession; refund: StoredRefund | null };

/** What moved from a moment on and before another, newest first. */
export async function movedBetween(db: Queryable, from: Date, to: Date): Promise<Moved[]> {
  const moved: Moved[] = [];
  const paid = { between: { moment: 'paidAt', from, to } };
  for (const charged of await sessions.list(db, { payment: 'succeeded' }, paid)) {
    moved.push({ at: charged.paidAt ?? charged.createdAt, session: charged, refund: null });
  }
  const made = { between: { moment: 'createdAt', from, to } };
  for (const back of await refunds.list(db, { status: 'succeeded' }, made)) {
    const charged = await sessions.get(db, back.sessionId);
    if (charged) moved.push({ at: back.createdAt, session: charged, refund: back });
  }
  return moved.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}
