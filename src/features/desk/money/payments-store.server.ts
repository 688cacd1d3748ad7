import { isUuid } from '~/base/uuid.ts';
import { desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { paymentAlert, paymentAttempt } from '~/features/payment/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

export type Alert = typeof paymentAlert.$inferSelect & {
  /** The order's number and the subject of its attempt, where the alert is about one. */
  reference: string | null;
  provider: string | null;
};

const withAttempt = (db: Queryable) =>
  db
    .select({
      alert: paymentAlert,
      reference: paymentAttempt.reference,
      provider: paymentAttempt.provider,
    })
    .from(paymentAlert)
    .leftJoin(paymentAttempt, eq(paymentAttempt.id, paymentAlert.attemptId));

type WithAttempt = Awaited<ReturnType<typeof withAttempt>>[number];

const toAlert = ({ alert, ...rest }: WithAttempt): Alert => ({ ...alert, ...rest });

/** Open alerts, newest first. */
export async function listOpenAlerts(db: Queryable, limit: number): Promise<Alert[]> {
  const rows = await withAttempt(db)
    .where(isNull(paymentAlert.resolvedAt))
    .orderBy(desc(paymentAlert.raisedAt), desc(paymentAlert.id))
    .limit(limit);
  return rows.map(toAlert);
}

/** The alerts resolved last. */
export async function listResolvedAlerts(db: Queryable, limit: number): Promise<Alert[]> {
  const rows = await withAttempt(db)
    .where(isNotNull(paymentAlert.resolvedAt))
    .orderBy(desc(paymentAlert.resolvedAt), desc(paymentAlert.id))
    .limit(limit);
  return rows.map(toAlert);
}

export async function alertById(db: Queryable, id: string): Promise<Alert | null> {
  if (!isUuid(id)) return null;
  const [row] = await withAttempt(db).where(eq(paymentAlert.id, id));
  return row ? toAlert(row) : null;
}
