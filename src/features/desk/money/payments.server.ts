import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { readPage, type RowPage, type Place } from '~/base/cursor.ts';
import { addDays, type PlainDate } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { providerNames, type ProviderName } from '~/base/payment-providers.ts';
import { isUuid } from '~/base/uuid.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { paymentStates, type PaymentState } from '~/features/payment/machine.ts';
import { paymentAlert, paymentAttempt } from '~/features/payment/tables.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { readDay } from '../frame/days.tsx';
import { alertFacts, MAX_ALERT_NOTE_LENGTH } from './alert-facts.ts';

/** Which attempts a list shows. `day` is the UTC day on which they began. */
export type PaymentsFilter = {
  readonly search: string;
  readonly state: PaymentState | null;
  readonly provider: ProviderName | null;
  readonly day: PlainDate | null;
};

const LONGEST_SEARCH = 120;

/** Reads an address's query; unknown values are ignored. */
export function readPaymentsFilter(query: URLSearchParams): PaymentsFilter {
  return {
    search: (query.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
    state: paymentStates.find((state) => state === query.get('state')) ?? null,
    provider: providerNames.find((provider) => provider === query.get('provider')) ?? null,
    day: readDay(query.get('day') ?? ''),
  };
}

/** The page of attempts that an address asks for, newest first. */
export async function paymentsPage(
  db: Queryable,
  filter: PaymentsFilter,
  query: URLSearchParams,
): Promise<RowPage<PaymentRow>> {
  // A number names an order, directly or by one of its applications.
  const number = normaliseNumber(filter.search);
  const application = filter.search === '' ? null : await applicationByNumber(db, number);
  const references = application ? [number, application.orderNumber] : [number];
  return readPage(
    query,
    (place) => listAttempts(db, filter, references, place),
    ({ createdAt: at, id }) => ({ at, id }),
  );
}

export type PaymentRow = Awaited<ReturnType<typeof listAttempts>>[number];

/** `references`: the orders that the search names; its text may be the id of a transaction or an attempt as well. */
function listAttempts(
  db: Queryable,
  { search, state, provider, day }: PaymentsFilter,
  references: readonly string[],
  { cursor, backwards, limit }: Place,
) {
  const { createdAt, id, providerReference, captureId } = paymentAttempt;
  const midnight = (date: string) => new Date(`${date}T00:00:00Z`);
  const place = cursor && isUuid(cursor.id) ? cursor : null;
  return db
    .select({
      id,
      createdAt,
      reference: paymentAttempt.reference,
      provider: paymentAttempt.provider,
      amountMinor: paymentAttempt.amountMinor,
      refundedMinor: paymentAttempt.refundedMinor,
      state: paymentAttempt.state,
      /** The provider's id of this payment, for searching on its own pages. */
      transaction: sql<string | null>`coalesce(${captureId}, ${providerReference})`,
    })
    .from(paymentAttempt)
    .where(
      and(
        state ? eq(paymentAttempt.state, state) : undefined,
        // Naming the providers lets the statement use the indexes on (provider, id).
        provider
          ? eq(paymentAttempt.provider, provider)
          : search
            ? inArray(paymentAttempt.provider, [...providerNames])
            : undefined,
        day
          ? and(gte(createdAt, midnight(day)), lt(createdAt, midnight(addDays(day, 1))))
          : undefined,
        search
          ? or(
              inArray(paymentAttempt.reference, [...references]),
              eq(providerReference, search),
              eq(captureId, search),
              isUuid(search) ? eq(id, search) : undefined,
            )
          : undefined,
        place
          ? sql`(${createdAt}, ${id}) ${backwards ? sql`>` : sql`<`} (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(...(backwards ? [asc(createdAt), asc(id)] : [desc(createdAt), desc(id)]))
    .limit(limit);
}

/** Most alerts shown; the rest is given as a count. */
const MAX_OPEN = 20;
const MAX_RESOLVED = 10;

/** Alerts with the order of their attempt, where they are about one. */
const alertsWithOrder = (db: Queryable) =>
  db
    .select({ alert: paymentAlert, reference: paymentAttempt.reference })
    .from(paymentAlert)
    .leftJoin(paymentAttempt, eq(paymentAttempt.id, paymentAlert.attemptId));

export type AlertRow = Awaited<ReturnType<typeof readAlerts>>['open'][number];

/** Open alerts, newest first, and those resolved last. */
export async function readAlerts(db: Queryable) {
  const { raisedAt, resolvedAt, id } = paymentAlert;
  const [open, openCount, resolved] = await Promise.all([
    alertsWithOrder(db).where(isNull(resolvedAt)).orderBy(desc(raisedAt), desc(id)).limit(MAX_OPEN),
    db.$count(paymentAlert, isNull(resolvedAt)),
    alertsWithOrder(db)
      .where(isNotNull(resolvedAt))
      .orderBy(desc(resolvedAt), desc(id))
      .limit(MAX_RESOLVED),
  ]);
  const names = await staffNames(
    db,
    resolved.flatMap(({ alert }) => alert.resolvedBy ?? []),
  );
  const toRow = ({ alert, reference }: (typeof open)[number]) => ({
    id: alert.id,
    kind: alert.kind,
    raisedAt: alert.raisedAt,
    reference,
    facts: alertFacts(alert.detail),
    /** Without a person: the cause has passed, and nobody did anything. */
    resolved: alert.resolvedAt && {
      at: alert.resolvedAt,
      by: names.get(alert.resolvedBy ?? '') ?? null,
      note: alert.resolution ?? '',
      isByItself: alert.resolvedBy === null,
    },
  });
  return { open: open.map(toRow), openCount, resolved: resolved.map(toRow) };
}

async function alertById(db: Queryable, id: string) {
  if (!isUuid(id)) return null;
  const [row] = await db.select().from(paymentAlert).where(eq(paymentAlert.id, id));
  return row ?? null;
}

export type ResolveError =
  | { code: 'note_required' | 'note_too_long' | 'not_found' }
  /** Somebody else was first. */
  | { code: 'already_resolved'; by: string | null; at: Date };

/**
 * Resolves an alert with a note on what was done. Person and time are stored with it; the audit trail names the alert,
 * without the note.
 */
export async function resolveAlert(
  platform: Platform,
  staff: Staff,
  asked: { alertId: string; note: string },
): Promise<Outcome<true, ResolveError>> {
  const note = asked.note.trim();
  if (note === '') return refused({ code: 'note_required' });
  if (note.length > MAX_ALERT_NOTE_LENGTH) return refused({ code: 'note_too_long' });
  const { db } = platform;
  const known = await alertById(db, asked.alertId);
  if (!known) return refused({ code: 'not_found' });
  const at = platform.now();
  const isFirst = await db.transaction(async (tx) => {
    const closed = await tx
      .update(paymentAlert)
      .set({ resolvedAt: at, resolvedBy: staff.id, resolution: note })
      .where(and(eq(paymentAlert.id, known.id), isNull(paymentAlert.resolvedAt)))
      .returning({ id: paymentAlert.id });
    if (closed.length === 0) return false;
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'alert_resolved',
      subject: { kind: 'alert', id: known.id },
      detail: { kind: known.kind, attemptId: known.attemptId },
    });
    return true;
  });
  if (isFirst) return ok(true);
  const resolved = await alertById(db, known.id);
  const by = resolved?.resolvedBy ?? '';
  const names = await staffNames(db, by === '' ? [] : [by]);
  return refused({
    code: 'already_resolved',
    by: names.get(by) ?? null,
    at: resolved?.resolvedAt ?? at,
  });
}
