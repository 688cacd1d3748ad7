import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import { queueEmail } from '~/features/email/queue.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { order } from '../tables.server.ts';

const DAY_MS = 24 * 3600_000;
/** Age of an unpaid order, in milliseconds, at which its payer is reminded once. */
const AFTER_MS = DAY_MS;
/** Older orders get no reminder. */
const LATEST_MS = 3 * DAY_MS;

/**
 * Reminds the payers of orders that were placed a day ago and are neither paid nor closed, once each. For a recurring
 * job.
 */
export async function remindUnpaid({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  const before = (milliseconds: number) => new Date(at.getTime() - milliseconds);
  await db.transaction(async (tx) => {
    const reminded = await tx
      .update(order)
      .set({ remindedAt: at })
      .where(
        and(
          isNull(order.paidAt),
          isNull(order.closedAt),
          isNull(order.remindedAt),
          eq(order.lab, false),
          lte(order.createdAt, before(AFTER_MS)),
          gt(order.createdAt, before(LATEST_MS)),
        ),
      )
      .returning({ number: order.number });
    for (const { number } of reminded) {
      await queueEmail(tx, { kind: 'unpaid_reminder', about: number, createdAt: at });
    }
  });
}
