import { pageOf, readCursor, type Page, type Cursor } from '~/base/cursor.ts';
import { usd, type Money } from '~/base/money.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import type { Attempt } from '~/features/payment/settlement/store.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { alertFacts, type AlertFact } from './alert-facts.ts';
import type { PaymentsFilter } from './payments-filter.ts';
import { listOpenAlerts, listResolvedAlerts, type Alert } from './payments-store.server.ts';
import { isUuid } from '~/base/uuid.ts';
import { and, asc, desc, eq, gte, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { addDays } from '~/base/dates/dates.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { paymentAlert, paymentAttempt } from '~/features/payment/tables.server.ts';

/** A search: order numbers, and a text that may be a transaction's or an attempt's id. */
type PaymentSearch = { text: string; references: readonly string[] };

type PaymentsQuery = Omit<PaymentsFilter, 'search'> & { search: PaymentSearch | null };

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
async function listAttempts(
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

const countOpenAlerts = (db: Queryable): Promise<number> =>
  db.$count(paymentAlert, isNull(paymentAlert.resolvedAt));

/** Attempts on one page. */
const PAYMENTS_PAGE = 50;
/** Most alerts shown; the rest is given as a count. */
const ALERTS = 20;
const RESOLVED = 10;

export type PaymentRow = {
  id: string;
  createdAt: Date;
  reference: string;
  provider: string;
  amount: Money;
  refunded: Money;
  state: PaymentState;
  /** The provider's id of this payment, for searching on its own pages. */
  transaction: string | null;
  reason: string | null;
};

const toRow = (attempt: Attempt): PaymentRow => ({
  id: attempt.id,
  createdAt: attempt.createdAt,
  reference: attempt.reference,
  provider: attempt.provider,
  amount: usd(attempt.amountMinor),
  refunded: usd(attempt.refundedMinor),
  state: attempt.state,
  transaction: attempt.captureId ?? attempt.providerReference,
  reason: attempt.reason,
});

/** One page of attempts. `newer` and `older` are cursors from the address; `newer` takes precedence. */
export async function paymentsPage(
  db: Queryable,
  filter: PaymentsFilter,
  place: { newer: string | null; older: string | null },
): Promise<Page<PaymentRow>> {
  const backwards = place.newer !== null;
  const cursor = readCursor(place.newer ?? place.older);
  const search = await readSearch(db, filter.search);
  const options = { cursor, backwards, limit: PAYMENTS_PAGE + 1 };
  const rows = await listAttempts(db, { ...filter, search }, options);
  return pageOf(rows.map(toRow), ({ createdAt: at, id }) => ({ at, id }), {
    size: PAYMENTS_PAGE,
    cursor,
    backwards,
  });
}

/** A number names an order, directly or by one of its applications. */
async function readSearch(db: Queryable, typed: string): Promise<PaymentSearch | null> {
  if (typed === '') return null;
  const number = normaliseNumber(typed);
  const application = await applicationByNumber(db, number);
  const references = application ? [number, application.orderNumber] : [number];
  return { text: typed, references };
}

export type AlertRow = {
  id: string;
  kind: Alert['kind'];
  raisedAt: Date;
  reference: string | null;
  provider: string | null;
  facts: AlertFact[];
  /** Automatic: the cause has passed, and nobody did anything. */
  resolved: { at: Date; by: string | null; note: string; isByItself: boolean } | null;
};

/** Open alerts, and those resolved last. */
export async function alertsToSee(
  db: Queryable,
): Promise<{ open: AlertRow[]; openCount: number; resolved: AlertRow[] }> {
  const [open, openCount, resolved] = await Promise.all([
    listOpenAlerts(db, ALERTS),
    countOpenAlerts(db),
    listResolvedAlerts(db, RESOLVED),
  ]);
  const names = await staffNames(
    db,
    resolved.flatMap(({ resolvedBy }) => resolvedBy ?? []),
  );
  const toAlertRow = (alert: Alert): AlertRow => ({
    id: alert.id,
    kind: alert.kind,
    raisedAt: alert.raisedAt,
    reference: alert.reference,
    provider: alert.provider,
    facts: alertFacts(alert.detail),
    resolved: alert.resolvedAt && {
      at: alert.resolvedAt,
      by: names.get(alert.resolvedBy ?? '') ?? null,
      note: alert.resolution ?? '',
      isByItself: alert.resolvedBy === null,
    },
  });
  return { open: open.map(toAlertRow), openCount, resolved: resolved.map(toAlertRow) };
}
