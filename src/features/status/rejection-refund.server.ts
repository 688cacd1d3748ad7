import {
  applicationsByOrder,
  eventsByApplication,
  applicationEvents,
  type Application,
} from '~/features/application/store.server.ts';
import type { PastApplication } from '~/features/order/refunds/refund-proposal.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { isMissed } from '~/features/application/promised.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { add, usd, type Money } from '~/base/money.ts';
import { rejectionAuthor, type RejectionCode } from '~/features/application/rejection.ts';
import { returnedByApplication } from '~/features/order/refunds/order-refund-store.server.ts';
import {
  openRefund,
  proposeRefund,
  type RefundAsked,
} from '~/features/order/refunds/order-refund.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';

/** Cover begins with the first insured day in Türkiye, three hours ahead of UTC all year. */
export const coverStart = ({ startsOn }: { startsOn: string }): Date =>
  new Date(`${startsOn}T00:00:00+03:00`);

/**
 * The state of an order's applications when their refund was asked for, and promises missed until `now`; `only`
 * restricts it to some of them.
 */
export async function pastApplications(
  db: Queryable,
  orderNumber: string,
  { askedAt, now }: { askedAt: Date; now: Date },
  only?: readonly string[],
): Promise<Map<string, PastApplication>> {
  const all = await applicationsByOrder(db, orderNumber);
  const meant = only ? all.filter(({ number }) => only.includes(number)) : all;
  const events = await eventsByApplication(
    db,
    meant.map(({ id }) => id),
  );
  const facts = meant.map((application) => {
    const before = (events.get(application.id) ?? []).filter(({ at }) => at <= askedAt);
    const startsAt = coverStart(application);
    const missed = isMissed(application, now);
    return [application.number, { pending: !wasProcessed(before), startsAt, missed }] as const;
  });
  return new Map(facts);
}

/** Statuses of an application that is no longer pending. */
const moved: readonly string[] = ['processing', 'approved', 'rejected'];

/** Whether an application with these events is no longer pending: sent to the authorities, or decided. */
export const wasProcessed = (events: readonly { kind: string }[]): boolean =>
  events.some(({ kind }) => moved.includes(kind));

/** A rejection that is to be made, or was made at `at`. */
type PastRejection = { code: RejectionCode | null; at: Date };

export type RejectionRefund = {
  by: ReturnType<typeof rejectionAuthor>;
  /** All that is refunded of the application, earlier refunds included. */
  total: Money;
  /** Whether the email about the rejection goes to the payer, who alone hears of money. */
  isPayers: boolean;
};

/**
 * The refund that follows from a rejection; null where none does, because the authorities decided. An insurance was never
 * sold, so its premium is refunded. A visa that our team rejects before it is handed in refunds what cancelling at that
 * moment would have. Reads only.
 */
async function refundAfter(
  db: Queryable,
  { id, kind, number, orderNumber }: Application,
  { code, at }: PastRejection,
): Promise<{ by: RejectionRefund['by']; asked: RefundAsked | null }> {
  const isHandedIn = (await applicationEvents(db, id)).some((event) => event.kind === 'processing');
  const by = rejectionAuthor(kind, code, isHandedIn);
  if (by === 'authorities') return { by, asked: null };
  const moments = { askedAt: at, now: at };
  const then = await pastApplications(db, orderNumber, moments, [number]);
  const applications = new Map(
    // The rejection itself is no reason why it was no longer pending.
    [...then].map(([key, one]) => [key, { ...one, pending: !isHandedIn }] as const),
  );
  const ofVisa = by === 'traveller' ? 'cancelled' : 'rejected_by_us';
  const cause = kind === 'insurance' ? 'insurance_rejected' : ofVisa;
  return { by, asked: { cause, askedAt: at, applications } };
}

/** What a rejection would refund; the same as `refundRejection` then opens. Null for an unpaid order. Reads only. */
export async function quoteRejection(
  db: Queryable,
  found: Application,
  then: PastRejection,
): Promise<RejectionRefund | null> {
  const order = await orderByNumber(db, found.orderNumber);
  if (!order?.paidAt) return null;
  const { by, asked } = await refundAfter(db, found, then);
  const proposal = asked && (await proposeRefund(db, order, asked, then.at));
  const earlier = await returnedTotal(db, found);
  const total = proposal?.ok ? add(earlier, proposal.value.total) : earlier;
  return { by, total, isPayers: reachesPayer(found, order) };
}

/** What is refunded of an application that was rejected, by its rejection and before. Null for an unpaid order. */
export async function readRejectionRefund(
  db: Queryable,
  found: Application,
): Promise<RejectionRefund | null> {
  const order = await orderByNumber(db, found.orderNumber);
  if (!order?.paidAt) return null;
  const isHandedIn = (await applicationEvents(db, found.id)).some(
    ({ kind }) => kind === 'processing',
  );
  const by = rejectionAuthor(found.kind, found.rejectionCode, isHandedIn);
  return { by, total: await returnedTotal(db, found), isPayers: reachesPayer(found, order) };
}

async function returnedTotal(db: Queryable, { number }: Application): Promise<Money> {
  const returned = (await returnedByApplication(db, [number])).get(number);
  return returned ? add(returned.done, returned.coming) : usd(0);
}

/**
 * Opens the refund that follows from a rejection of a paid application, in its transaction and with its locks.
 * `now`: when it is opened, which may be later; `delayMs`: before it is sent. Returns the refund's id; null where there is nothing to refund, also because it has been
 * or is being refunded.
 */
export async function refundRejection(
  tx: Transaction,
  found: Application,
  then: PastRejection,
  { now = then.at, delayMs }: { now?: Date; delayMs?: number | undefined } = {},
): Promise<string | null> {
  const { asked } = await refundAfter(tx, found, then);
  if (!asked) return null;
  const opened = await openRefund(tx, found.orderNumber, { asked, by: null, delayMs }, now);
  return opened.ok ? opened.value.refund.id : null;
}
