import { isUuid } from '~/base/uuid.ts';
import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { addDays } from '~/base/dates/dates.ts';
import type { Cursor } from '~/base/cursor.ts';
import { providerNames } from '~/base/payment-providers.ts';
import type { Attempt } from '~/features/payment/settlement/store.server.ts';
import { paymentAlert, paymentAttempt } from '~/features/payment/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { PaymentsFilter } from './payments-filter.ts';

/** A search: order numbers, and a text that may be a transaction's or an attempt's id. */
export type PaymentSearch = { text: string; references: readonly string[] };

export type PaymentsQuery = Omit<PaymentsFilter, 'search'> & { search: PaymentSearch | null };

function condition({ search, state, provider, day }: PaymentsQuery): SQL | undefined {
  const midnight = (date: string) => new Date(`${date}T00:00:00Z`);
  return and(
    state ? eq(paymentAttempt.state, state) : undefined,
    // Naming the providers lets the statement use the indexes on (provider, id).
    provider
      ? eq(paymentAttempt.provider, provider)
      : search
        ? inArray(paymentAttempt.provider, [...providerNames])
        : undefined,
    day
      ? and(
          gte(paymentAttempt.createdAt, midnight(day)),
          lt(paymentAttempt.createdAt, midnight(addDays(day, 1))),
        )
      : undefined,
    search
      ? or(
          inArray(paymentAttempt.reference, [...search.references]),
          eq(paymentAttempt.providerReference, search.text),
          eq(paymentAttempt.captureId, search.text),
          isUuid(search.text) ? eq(paymentAttempt.id, search.text) : undefined,
        )
      : undefined,
  );
}

/** Attempts newest first after a cursor, or, backwards, oldest first before it. */
export async function listAttempts(
  db: Queryable,
  query: PaymentsQuery,
  { cursor, backwards, limit }: { cursor: Cursor | null; backwards: boolean; limit: number },
): Promise<Attempt[]> {
  const { createdAt, id } = paymentAttempt;
  const place = cursor && isUuid(cursor.id) ? cursor : null;
  const beyond = place
    ? backwards
      ? sql`(${createdAt}, ${id}) > (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`
      : sql`(${createdAt}, ${id}) < (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`
    : undefined;
  return db
    .select()
    .from(paymentAttempt)
    .where(and(condition(query), beyond))
    .orderBy(...(backwards ? [asc(createdAt), asc(id)] : [desc(createdAt), desc(id)]))
    .limit(limit);
}

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

export const openAlertsSql: SQL = sql`select count(*) from ${paymentAlert} where ${isNull(paymentAlert.resolvedAt)}`;

export const countOpenAlerts = (db: Queryable): Promise<number> =>
  db.$count(paymentAlert, isNull(paymentAlert.resolvedAt));

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

/** Closes an alert; false where it was closed before. */
export async function closeAlert(
  db: Queryable,
  id: string,
  resolved: { at: Date; by: string; note: string },
): Promise<boolean> {
  const rows = await db
    .update(paymentAlert)
    .set({ resolvedAt: resolved.at, resolvedBy: resolved.by, resolution: resolved.note })
    .where(and(eq(paymentAlert.id, id), isNull(paymentAlert.resolvedAt)))
    .returning({ id: paymentAlert.id });
  return rows.length === 1;
}
