import { DAY_MS } from '~/base/dates/dates.ts';
import { and, eq, gt, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { application } from '~/features/application/tables.server.ts';

/** Moments missed longer ago, in milliseconds, are not reported: after a long outage the email would come too late. */
const MAX_LATENESS_MS = DAY_MS;

/**
 * Tells the travellers of paid, undecided applications that the promised moment has passed, once each. Nothing while the
 * traveller is waited for. For a recurring job.
 */
export async function reportLate({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  const lateEmail = db
    .select({ id: email.id })
    .from(email)
    .where(eq(email.occasion, sql`'late:' || ${application.id}`));
  await db.transaction(async (tx) => {
    const late = await tx
      .select({ id: application.id })
      .from(application)
      .innerJoin(order, eq(order.number, application.orderNumber))
      .where(
        and(
          isNotNull(application.paidAt),
          isNotNull(application.promisedAt),
          lt(application.promisedAt, at),
          gt(application.promisedAt, new Date(at.getTime() - MAX_LATENESS_MS)),
          isNull(application.decidedAt),
          isNull(application.pausedAt),
          isNull(order.closedAt),
          notExists(lateEmail),
        ),
      );
    for (const { id } of late) await queueEmail(tx, { kind: 'late', about: id, createdAt: at });
  });
}
