import { parseDate, isMinor } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isPayer as isPayersBrowser } from '~/features/order/payer/payer.server.ts';
import {
  type RefundedSums,
  refundSums,
  payerCancelledAtSql,
} from '~/features/order/refunds/order-refund-store.server.ts';
import {
  storedReceiptNumber,
  type Receipt,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { isAwaited, payRefusal } from '~/features/order/may-pay.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Attempt } from '~/features/payment/settlement/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import {
  type ConsumedLimit,
  makeLimiter,
  type Limit,
  type Limiter,
} from '~/platform/http/rate-limit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isMissed, isPromised, runningPromise } from '~/features/application/promised.ts';
import { skippedDays } from '~/features/application/skipped-days.ts';
import { coverStart } from './rejection-refund.server.ts';
import { rejectionAuthor } from '~/features/application/rejection.ts';
import { readNumber, type NumberError } from '~/features/application/number.ts';
import { paymentStatus } from '~/features/application/status-machine.ts';
import { hasSeveralTravellers, isSameTraveller } from '~/features/application/travellers.ts';
import {
  type StatusView,
  BIRTH_DATE_TRIES,
  BIRTH_DATE_TRIES_MONTH,
  isWithdrawn,
  timeline,
  type Decider,
} from './status-view.ts';
import type { Application, ApplicationDocument } from '~/features/application/store.server.ts';
import { shownRejection } from '~/features/application/templates.server.ts';
import { fullName } from '~/features/application/full-name.ts';
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { orderReceipt, order, orderCancellation } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import { prepareOnce, oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import {
  type Correction,
  isOpenCorrection,
} from '~/features/application/correction/correction-store.server.ts';
import {
  application,
  applicationCorrection,
  applicationDocument,
  applicationEvent,
} from '~/features/application/tables.server.ts';

/**
 * Look-ups by one address that find nothing. A number has 60 random bits, so even a limit that nobody reaches by
 * mistyping rules out guessing.
 */
export const LOOKUP_LIMIT: Limit = { name: 'status_lookup', points: 60, seconds: 60 };

type Limits = {
  /** `LOOKUP_LIMIT` */
  lookup: Limiter;
  /** Dates of birth tried for one application in an hour, the payer's own browsers excepted. */
  birthDate: Limiter;
  /** Wrong ones in a month: a known year is not guessed by five an hour. */
  birthDateMonth: Limiter;
  /** Emails that the status page was asked for, by application. */
  asked: Limiter;
};

export const lookupLimits = oncePerPool((pool): Limits => ({
  lookup: makeLimiter(pool, LOOKUP_LIMIT),
  birthDate: makeLimiter(pool, {
    name: 'download_birth_date',
    points: BIRTH_DATE_TRIES,
    seconds: 3600,
  }),
  birthDateMonth: makeLimiter(pool, {
    name: 'download_birth_date_month',
    points: BIRTH_DATE_TRIES_MONTH,
    seconds: 30 * 24 * 3600,
  }),
  asked: makeLimiter(pool, { name: 'status_email', points: 3, seconds: 3600 }),
}));

/** An application as its status page shows it. */
type StatusFacts = {
  application: Application;
  document: ApplicationDocument | null;
  /** The correction that is open; the database allows one (`application_correction_open`). */
  correction: Correction | null;
  processingAt: Date | null;
  /** When its payer cancelled it on the status page. */
  cancelledAt: Date | null;
  returned: RefundedSums;
};

const statusFactsQuery = prepareOnce((db) => {
  const number = sql.placeholder('number');
  const orderNumber = db
    .select({ orderNumber: application.orderNumber })
    .from(application)
    .where(eq(application.number, number));
  const document = db
    .select({ id: applicationDocument.id })
    .from(applicationDocument)
    .where(
      and(
        eq(applicationDocument.applicationId, application.id),
        isNull(applicationDocument.replacedAt),
      ),
    )
    .orderBy(desc(applicationDocument.createdAt))
    .limit(1);
  const processingAt = sql<Date | null>`(select min(${applicationEvent.at}) from ${applicationEvent}
    where ${applicationEvent.applicationId} = ${application.id} and ${applicationEvent.kind} = 'processing')`;
  const cancelledAt = sql<Date | null>`${payerCancelledAtSql(application)}`;
  const returned = refundSums(db, application.number).as('returned');
  return db
    .select({
      application,
      document: applicationDocument,
      correction: applicationCorrection,
      processingAt: processingAt.mapWith(applicationEvent.at),
      cancelledAt: cancelledAt.mapWith(orderCancellation.cancelledAt),
      done: returned.done,
      coming: returned.coming,
    })
    .from(application)
    .leftJoin(applicationDocument, eq(applicationDocument.id, document))
    .leftJoin(
      applicationCorrection,
      and(eq(applicationCorrection.applicationId, application.id), isOpenCorrection),
    )
    .leftJoinLateral(returned, sql`true`)
    .where(eq(application.orderNumber, sql`coalesce((${orderNumber.getSQL()}), ${number})`))
    .orderBy(
      asc(application.travellerPosition),
      asc(application.createdAt),
      desc(application.kind),
      asc(application.number),
    )
    .prepare(UNNAMED);
});

/**
 * The applications ordered together with a number, an application's or an order's, in one statement: by traveller, a
 * visa before its insurance.
 */
async function readStatusFacts(db: Queryable, number: string): Promise<StatusFacts[]> {
  const rows = await statusFactsQuery(db).execute({ number });
  return rows.map(({ done, coming, ...row }) => ({
    ...row,
    returned: { done: usd(done ?? 0), coming: usd(coming ?? 0) },
  }));
}

type OrderStatusFacts = {
  order: Order | null;
  /** Oldest first. */
  attempts: Attempt[];
  /** In the order they were issued. */
  receipts: Pick<Receipt, 'id' | 'kind' | 'year' | 'serial'>[];
};

const orderWithAll = prepareOnce((db) => {
  const { id, kind, year, serial } = orderReceipt;
  return db
    .select({ order, attempt: paymentAttempt, receipt: { id, kind, year, serial } })
    .from(order)
    .leftJoin(paymentAttempt, eq(paymentAttempt.reference, order.number))
    .leftJoin(orderReceipt, eq(orderReceipt.orderId, order.id))
    .where(eq(order.number, sql.placeholder('number')))
    .orderBy(
      asc(paymentAttempt.createdAt),
      asc(paymentAttempt.id),
      asc(orderReceipt.issuedAt),
      desc(kind),
      asc(serial),
    )
    .prepare(UNNAMED);
});

/**
 * An order with its attempts and receipts in one statement. Each attempt is joined with each receipt; there are few of
 * both.
 */
async function orderStatusFacts(db: Queryable, number: string): Promise<OrderStatusFacts> {
  const rows = await orderWithAll(db).execute({ number });
  return {
    order: rows[0]?.order ?? null,
    attempts: distinct(rows.map(({ attempt }) => attempt)),
    receipts: distinct(rows.map(({ receipt }) => receipt)),
  };
}

function distinct<T extends { id: string }>(rows: readonly (T | null)[]): T[] {
  return [...new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : []))).values()];
}

type TooManyLookUps = { code: 'too_many'; retryAfterSeconds: number };
export type LookupError = { code: NumberError | 'not_found' } | TooManyLookUps;

export type FoundStatus = {
  view: StatusView;
  application: Application;
  document: ApplicationDocument | null;
  /** All applications of the order, by traveller, where its number was asked for. */
  everyone: StatusView[] | null;
};

/**
 * Finds an application by its number as typed, and counts the look-up where it finds none. The number is all that is
 * needed: an order's number opens all its travellers, a traveller's own number opens that traveller. `sessionHash`: of
 * the browser; the payer's also gets a link from the traveller to the order.
 */
export async function lookUpApplication(
  platform: Platform,
  typed: string,
  { address, sessionHash = null }: { address: string; sessionHash?: Buffer | null },
): Promise<Outcome<FoundStatus, LookupError>> {
  return limitLookUp(platform, address, () => findByNumber(platform, typed, sessionHash));
}

/**
 * Looks something up by a number, within the limit of its sender. Who knows a number guesses nothing: an agency may ask
 * about each of its applications. Counted afterwards, by the same statement for a right number, so that the time of the
 * answer does not tell which it was; whoever is over the limit costs no statement.
 */
export async function limitLookUp<Value, Fault>(
  platform: Platform,
  address: string,
  look: () => Promise<Outcome<Value, Fault>>,
): Promise<Outcome<Value, Fault | TooManyLookUps>> {
  const { lookup } = lookupLimits(platform);
  const tooMany = ({ retryAfterSeconds }: ConsumedLimit) =>
    refused({ code: 'too_many' as const, retryAfterSeconds });
  const known = lookup.refusal(address);
  if (known) return tooMany(known);
  const found = await look();
  const counted = await lookup.consume(address, found.ok ? 0 : 1);
  return counted.allowed ? found : tooMany(counted);
}

/**
 * As `lookUpApplication`, without its limit. An unknown number costs the same statements as that of a single traveller, so that the
 * time of the answer does not tell which it was.
 */
export async function findByNumber(
  platform: Platform,
  typed: string,
  sessionHash: Buffer | null = null,
): Promise<Outcome<FoundStatus, LookupError>> {
  const read = readNumber(typed);
  if (!read.ok) return refused({ code: read.error });
  const facts = await readStatusFacts(platform.db, read.number);
  // An order's number opens its first application.
  const asked = facts.find((one) => one.application.number === read.number) ?? facts[0] ?? null;
  const orderNumber = asked?.application.orderNumber ?? read.number;
  const [{ order, attempts, receipts }, settings] = await Promise.all([
    orderStatusFacts(platform.db, orderNumber),
    currentSettings(platform.db),
  ]);
  if (!asked) return refused({ code: 'not_found' });
  const together = facts.map((one) => one.application);
  const isOfSeveral = hasSeveralTravellers(together);
  const isByOrder = read.number === orderNumber;
  const isPayers =
    isOfSeveral && order !== null && (await isPayersBrowser(platform.db, sessionHash, order));
  const viewOf = ({ application, correction, ...facts }: StatusFacts): StatusView => ({
    ...statusView({
      ...facts,
      application,
      together,
      order,
      attempts,
      settings,
      now: platform.now(),
      showsOrder: !isOfSeveral || isByOrder || isPayers,
    }),
    wholeOrder: isPayers && !isByOrder ? orderNumber : null,
    correction: correction && {
      fields: correction.fields,
      until: correction.answerBy,
      keepsStart: correction.keepsStart,
    },
    receipts: order && isPayer(application, order) ? receipts.map(receiptEntry) : [],
  });
  return ok({
    view: viewOf(asked),
    application: asked.application,
    document: asked.document,
    everyone: isByOrder ? facts.map(viewOf) : null,
  });
}

export function statusView({
  application,
  together,
  order,
  attempts,
  document,
  processingAt,
  cancelledAt = null,
  returned,
  settings,
  now,
  showsOrder = true,
}: {
  application: Application;
  /** All applications of the order. */
  together: readonly Application[];
  order: Order | null;
  /** Oldest first. */
  attempts: readonly Attempt[];
  document: ApplicationDocument | null;
  processingAt: Date | null;
  /** When its payer cancelled it on the status page. */
  cancelledAt?: Date | null;
  /** From which the office as known at the payment is read. */
  settings: Settings;
  now: Date;
  /** Absent where nothing goes back. */
  returned?: RefundedSums | undefined;
  /**
   * False for a browser that knows only the number of one of several travellers: it learns nothing of the others, not
   * even how many.
   */
  showsOrder?: boolean;
}): StatusView {
  // What a guest tried and did not pay does not change the status of the payer's application.
  const tried = attempts.filter(({ begunBy }) => begunBy === 'payer');
  const isPaid = Boolean(order?.paidAt);
  const isClosed = Boolean(order?.closedAt);
  // A decision stays; any other application of a closed order gets none.
  const isFinal = application.status === 'approved' || application.status === 'rejected';
  const isHalted = isClosed && !isFinal;
  const rejection = shownRejection(settings, application);
  const endedByWish = isWithdrawn({ status: application.status, rejection, cancelledAt })
    ? (cancelledAt ?? application.decidedAt)
    : null;
  const refusal = order && payRefusal(order, attempts);
  return {
    kind: application.kind,
    number: application.number,
    firstName: application.firstName,
    lastName: application.lastName,
    status: application.status,
    actionRequired: application.actionRequired,
    correction: null,
    createdAt: application.createdAt,
    startsOn: application.startsOn,
    service: application.service,
    total: usd(application.amountMinor),
    travellerPosition: application.travellerPosition,
    orderNumber: showsOrder ? application.orderNumber : application.number,
    wholeOrder: null,
    due: showsOrder ? usd(order?.amountMinor ?? application.amountMinor) : null,
    beside: together
      .filter((one) => one.id !== application.id && isSameTraveller(one, application))
      .map(({ kind, number }) => ({ kind, number })),
    paymentStatus: paymentStatus({
      paid: isPaid,
      latestAttemptFailed: tried.at(-1)?.state === 'failed',
    }),
    awaited: isAwaited(refusal) ? refusal : null,
    payable: order !== null && refusal === null && !isFinal,
    cancellable: isPaid && !isClosed && !cancelledAt && isCancellable(application, now),
    cancelledAt,
    closed: isHalted,
    transactionId: transactionOf(order, attempts),
    returned: returned ?? { done: usd(0), coming: usd(0) },
    // While the traveller is waited for, nothing is promised.
    promisedAt: runningPromise(application),
    isMissed: isMissed(application, now),
    isPromised: isPromised({ ...application, promisedAt: runningPromise(application) }, now),
    skipped:
      order?.paidAt && !isHalted
        ? skippedDays(application, order.paidAt, officeInForce(settings, order.paidAt))
        : [],
    decidedAt: application.decidedAt,
    rejection,
    rejectedBy:
      rejection && rejectionAuthor(application.kind, rejection.code, processingAt !== null),
    document: application.status === 'approved' && document ? { size: document.size } : null,
    receipts: [],
    decidedBy: decider(application),
    timeline: timeline({
      ...application,
      promisedAt: runningPromise(application),
      decidedBy: decider(application),
      processingAt,
      cancelledAt: endedByWish,
    }).filter(({ state }) => !isHalted || state === 'done'),
  };
}

/** Whether the payer of a paid application may still cancel it: nothing leaves a decision, but cover can be given up. */
const isCancellable = ({ kind, status, startsOn }: Application, now: Date): boolean =>
  kind === 'visa'
    ? status === 'pending' || status === 'processing'
    : status !== 'rejected' && coverStart({ startsOn }) > now;

/** A receipt names the payer, so a fellow traveller's date of birth does not open it. */
const isPayer = (application: Application, order: Order): boolean =>
  fullName(application) === order.customerName && application.email === order.customerEmail;

const receiptEntry = (receipt: OrderStatusFacts['receipts'][number]) => ({
  id: receipt.id,
  kind: receipt.kind,
  number: storedReceiptNumber(receipt),
});

/** Staff decide on an insurance only where the traveller is under 18 on its first day. */
export function decider({
  kind,
  dateOfBirth,
  startsOn,
}: Pick<Application, 'kind' | 'dateOfBirth' | 'startsOn'>): Decider {
  if (kind === 'visa') return 'authorities';
  const [birth, first] = [parseDate(dateOfBirth), parseDate(startsOn)];
  return birth && first && isMinor(birth, first) ? 'reviewer' : 'service';
}

/** The provider's id of the payment that paid, or else of the last one that failed. */
function transactionOf(order: Order | null, attempts: readonly Attempt[]): string | null {
  const paying = attempts.find(({ id }) => id === order?.paidBy);
  if (paying) return paying.providerReference ?? paying.captureId;
  const latest = attempts.findLast(({ begunBy }) => begunBy === 'payer');
  return latest?.state === 'failed' ? latest.providerReference : null;
}
