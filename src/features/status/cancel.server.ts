import { randomUUID } from 'node:crypto';
import { toDecimal, usd, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { fullName } from '~/features/application/full-name.ts';
import { readNumber } from '~/features/application/number.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import {
  applicationByNumber,
  applicationsByOrder,
  eventsByApplication,
  type Application,
  type ApplicationEvent,
} from '~/features/application/store.server.ts';
import { isSameTraveller } from '~/features/application/travellers.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { insuranceRows } from '~/features/insurance/store/store.server.ts';
import { linesByOrder, orderByNumber, type Order } from '~/features/order/store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import type { RefundReason } from '~/features/order/refund-policy.ts';
import {
  cancellationById,
  insertCancellation,
  orderRefundById,
  refundsByOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { openRefund, boughtLines } from '~/features/order/refunds/order-refund.server.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import {
  encodeAmounts,
  quoteCancellation,
  uncancellable,
  type CancellationFacts,
  type CancellationQuote,
  type Uncancellable,
} from './cancellation.ts';
import { coverStart, pastApplications, wasProcessed } from './rejection-refund.server.ts';
import { endCases, endsByRefund, lockCases } from './end-case.server.ts';

/** An application as the page of a cancellation names it. */
type CancellableName = { number: string; kind: 'visa' | 'insurance'; name: string };

type QuotedLine = {
  id: string;
  code: string;
  detail: ServiceCode | null;
  paid: Money;
  refund: Money;
  reason: RefundReason;
};

/**
 * What the page of a cancellation shows. `link`: the browser is not the payer's. `nothing`: with the reasons why nothing can
 * be cancelled. `choose`: several can be. `quote`: what is refunded of those chosen, to be confirmed.
 */
export type CancellationView =
  | { kind: 'link' }
  | { kind: 'nothing'; why: (CancellableName & { why: Uncancellable })[] }
  | { kind: 'choose'; choices: CancellableName[]; isMissing: boolean }
  | {
      kind: 'quote';
      /** Of this one showing of the amounts. */
      id: string;
      shown: string;
      applications: (CancellableName & { lines: QuotedLine[] })[];
      total: Money;
      holdsUntil: Date | null;
      /** A share depends on what has not been sent to the authorities. */
      isWhilePending: boolean;
      endsCover: boolean;
      /** Others of the order continue. */
      leavesOthers: boolean;
      canChoose: boolean;
    }
  | { kind: 'done'; refund: Money | null };

/** What a request asks for: numbers as typed in the address. */
export type CancellationRequest = {
  ref: string;
  applications: readonly string[];
  isChosen: boolean;
  done: string | null;
};

/** The order of an application's number or an order's, with that application; null for an unknown one. */
export async function orderToCancel(
  db: Queryable,
  typed: string,
): Promise<{ order: Order; named: Application | null } | null> {
  const read = readNumber(typed);
  if (!read.ok) return null;
  const named = await applicationByNumber(db, read.number);
  const order = await orderByNumber(db, named?.orderNumber ?? read.number);
  return order && { order, named };
}

/**
 * What a browser sees that wants to cancel; null for an unknown number and an unpaid order. An order's number offers all
 * of the order, an application's those of the same traveller. Reads only.
 */
export async function cancellationView(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  asked: CancellationRequest,
  sessionHash: Buffer | null,
): Promise<CancellationView | null> {
  const wanted = await orderToCancel(db, asked.ref);
  if (!wanted || wanted.order.lab) return null;
  const { order, named } = wanted;
  if (!order.paidAt || order.paidBy === null) return null;
  if (!(await isPayer(db, sessionHash, order))) return { kind: 'link' };
  const done = await doneOf(db, order, asked.done);
  if (done) return done;
  const at = now();
  const found = await readCancellable(db, order, at);
  if (!found) return null;
  const offered = named && order.number !== named.number ? ofTraveller(found, named) : found;
  const choices = offered.applications.filter(({ why }) => why === null);
  if (choices.length === 0) {
    return {
      kind: 'nothing',
      why: offered.applications.flatMap(({ application, why }) =>
        why ? [{ ...nameOf(application), why }] : [],
      ),
    };
  }
  const numbers = choices.map(({ application }) => application.number);
  const chosen =
    numbers.length === 1
      ? numbers
      : numbers.filter((number) => asked.applications.includes(number));
  if (chosen.length === 0) {
    const applications = choices.map(({ application }) => nameOf(application));
    return { kind: 'choose', choices: applications, isMissing: asked.isChosen };
  }
  return quoteView(db, found, { chosen, canChoose: numbers.length > 1 }, at);
}

/** What cancelling one application now refunds to its payer. */
export type CancellationNow = {
  total: Money;
  /** The last moment at which that holds; null where it does not change. */
  holdsUntil: Date | null;
  /** Only while it has not been sent to the authorities. */
  isWhilePending: boolean;
};

/**
 * What the status page tells the payer's browser, the same as the page of the cancellation; null for any other browser,
 * and where there is nothing to confirm.
 */
export async function cancellationNow(
  platform: Pick<Platform, 'db' | 'now'>,
  number: string,
  sessionHash: Buffer,
): Promise<CancellationNow | null> {
  const asked = { ref: number, applications: [number], isChosen: false, done: null };
  const view = await cancellationView(platform, asked, sessionHash);
  if (view?.kind !== 'quote') return null;
  const { total, holdsUntil, isWhilePending } = view;
  return { total, holdsUntil, isWhilePending };
}

export type CancellationWanted = {
  /** Chosen by the page that showed the amounts, so that a repeated press changes nothing. */
  id: string;
  orderNumber: string;
  /** The applications that are meant. */
  numbers: readonly string[];
  /** The amounts that the page showed, as `encodeAmounts` writes them. */
  shown: string;
  /** Of the browser, which must be the payer's. */
  sessionHash: Buffer | null;
};

/**
 * `not_payer`: the browser is not the payer's. `not_open`: somebody was first, or there is nothing to cancel.
 * `changed`: other amounts are refunded by now than the page showed. `not_refundable`: the payment's state does not allow
 * it. `other_order`: the id is that of another order.
 */
export type CancellationError = {
  code: 'not_payer' | 'not_open' | 'changed' | 'not_refundable' | 'other_order';
};

/**
 * Opens for its payer the refund that the policy allows, and cancels what it takes back, in one transaction with the
 * locks of staff decisions: of two at once one wins, and the other is told. What is refunded is what was shown, or
 * nothing happens.
 */
export async function cancelApplications(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { id, orderNumber, numbers, shown, sessionHash }: CancellationWanted,
): Promise<Outcome<{ id: string; total: Money | null }, CancellationError>> {
  return db.transaction(async (tx) => {
    const known = await orderByNumber(tx, orderNumber);
    if (!known || !(await isPayer(tx, sessionHash, known))) return refused({ code: 'not_payer' });
    const own = (await applicationsByOrder(tx, orderNumber)).map(({ number }) => number);
    if (numbers.length === 0 || !numbers.every((number) => own.includes(number))) {
      return refused({ code: 'not_open' });
    }
    const cases = await lockCases(tx, numbers);
    const order = (await orderByNumber(tx, orderNumber)) ?? known;
    const before = await cancellationById(tx, id);
    if (before) {
      return before.orderId === order.id
        ? ok({ id, total: null })
        : refused({ code: 'other_order' });
    }
    const at = now();
    const quote = await quoteNow(tx, { order, cases }, at);
    if (!quote) return refused({ code: 'not_open' });
    const { lines, total } = quote;
    if (encodeAmounts(lines) !== shown) return refused({ code: 'changed' });
    if (total.minor > 0) {
      const moments = { askedAt: at, now: at };
      const applications = await pastApplications(tx, order.number, moments, numbers);
      const asked = { cause: 'cancelled', askedAt: at, applications } as const;
      const opened = await openRefund(tx, order.number, { id, asked, by: 'payer' }, at);
      if (!opened.ok) return refused({ code: 'not_refundable' });
      const { amountMinor } = opened.value.payment;
      if (amountMinor !== total.minor) throw new Error('The refund is not what was shown');
    }
    await cancelCases(tx, { id, order, cases, total }, at);
    return ok({ id, total });
  });
}

/** Ends what the payer has cancelled, and tells them. */
async function cancelCases(
  tx: Transaction,
  {
    id,
    order,
    cases,
    total,
  }: { id: string; order: Order; cases: readonly Application[]; total: Money },
  at: Date,
): Promise<void> {
  const numbers = cases.map(({ number }) => number);
  await insertCancellation(tx, {
    id,
    orderId: order.id,
    applicationNumbers: numbers,
    cancelledAt: at,
  });
  const because = { cancellationId: id };
  await endCases(tx, cases, { cause: 'cancelled', numbers, by: null, because }, at);
  for (const one of cases) {
    // The payer's own email says it all; a fellow traveller with an address of their own is told apart.
    if (!reachesPayer(one, order))
      await queueEmail(tx, { kind: 'cancelled_traveller', about: one.id, createdAt: at });
    await audit(tx, {
      at,
      staffId: null,
      action: 'cancelled_by_payer',
      subject: { kind: 'application', id: one.id },
      detail: { ...because, amount: toDecimal(total) },
    });
  }
  await queueEmail(tx, { kind: 'cancelled', about: id, createdAt: at });
}

/** Only one of this order is shown. */
async function doneOf(
  db: Queryable,
  order: Order,
  id: string | null,
): Promise<CancellationView | null> {
  const before = id !== null && isUuid(id) ? await cancellationById(db, id) : null;
  if (id === null || before?.orderId !== order.id) return null;
  const found = await orderRefundById(db, id);
  return { kind: 'done', refund: found && usd(found.payment.amountMinor) };
}

/** What is refunded of these applications now; null where one is not open to it. */
async function quoteNow(
  db: Queryable,
  { order, cases }: { order: Order; cases: readonly Application[] },
  at: Date,
): Promise<CancellationQuote | null> {
  const numbers = cases.map(({ number }) => number);
  const found = await readCancellable(db, order, at);
  const isOpen = (number: string) =>
    found?.applications.some(
      ({ application, why }) => why === null && application.number === number,
    );
  return found && numbers.every(isOpen) ? quoteOf(db, found, numbers, at) : null;
}

async function quoteView(
  db: Queryable,
  found: Cancellable,
  { chosen, canChoose }: { chosen: readonly string[]; canChoose: boolean },
  at: Date,
): Promise<CancellationView> {
  const quote = await quoteOf(db, found, chosen, at);
  const details = new Map(
    (await linesByOrder(db, found.order.id)).map(({ id, detail }) => [id, detail]),
  );
  const applications = found.applications
    .filter(({ application }) => chosen.includes(application.number))
    .map(({ application }) => ({
      ...nameOf(application),
      lines: quote.lines
        .filter(({ line }) => line.applicationNumber === application.number)
        .map(({ line, amount, reason }) => ({
          id: line.id,
          code: line.code,
          detail: details.get(line.id) ?? null,
          paid: line.amount,
          refund: amount,
          reason,
        })),
    }));
  return {
    kind: 'quote',
    id: randomUUID(),
    shown: encodeAmounts(quote.lines),
    applications,
    total: quote.total,
    holdsUntil: quote.holdsUntil,
    isWhilePending: quote.lines.some(({ reason }) => reason === 'still_pending'),
    endsCover: applications.some(({ kind }) => kind === 'insurance'),
    leavesOthers: found.applications.some(
      ({ application, why }) => why !== 'cancelled' && !chosen.includes(application.number),
    ),
    canChoose,
  };
}

/** Those of the same traveller. */
const ofTraveller = (found: Cancellable, named: Application): Cancellable => ({
  ...found,
  applications: found.applications.filter(({ application }) => isSameTraveller(application, named)),
});

const nameOf = ({ number, kind, ...names }: Application): CancellableName => ({
  number,
  kind,
  name: fullName(names),
});

/** A paid order as its payer may cancel it. */
type Cancellable = {
  order: Order & { paidAt: Date };
  /** By traveller, each with the reason why it cannot be cancelled; null where it can. */
  applications: { application: Application; why: Uncancellable | null }[];
  events: ReadonlyMap<string, readonly ApplicationEvent[]>;
};

/** What decides on the cancellation of an order's applications; null for an order that is not paid. Reads only. */
async function readCancellable(
  db: Queryable,
  order: Order,
  now: Date,
): Promise<Cancellable | null> {
  const { paidAt } = order;
  if (!paidAt || order.paidBy === null) return null;
  const applications = await applicationsByOrder(db, order.number);
  const ids = applications.map(({ id }) => id);
  const insurances = await insuranceRows(db, ids);
  const refunds = await refundsByOrder(db, order.id);
  return {
    order: { ...order, paidAt },
    applications: applications.map((application) => ({
      application,
      why: uncancellable(
        {
          kind: application.kind,
          status: application.status,
          startsAt: coverStart(application),
          cancelledAt: insurances.get(application.id)?.cancelledAt ?? null,
          isRefunded: refunds.some((one) => endsByRefund(one, application.number)),
        },
        now,
      ),
    })),
    events: await eventsByApplication(db, ids),
  };
}

/** What cancelling some of its applications refunds. */
async function quoteOf(
  db: Queryable,
  { order, applications, events }: Cancellable,
  numbers: readonly string[],
  at: Date,
): Promise<CancellationQuote> {
  const meant = applications.filter(({ application }) => numbers.includes(application.number));
  const facts: CancellationFacts = {
    policy: order.refundPolicy,
    paidAt: order.paidAt,
    lines: await boughtLines(db, order),
    applications: new Map(
      meant.map(({ application }) => [
        application.number,
        {
          pending: !wasProcessed(events.get(application.id) ?? []),
          startsAt: coverStart(application),
          promisedAt: missablePromise(application),
        },
      ]),
    ),
  };
  return quoteCancellation(facts, at);
}

/** The promised moment that can be missed: none while it is paused in time. */
const missablePromise = ({ promisedAt, pausedAt }: Application): Date | null =>
  promisedAt && pausedAt && pausedAt <= promisedAt ? null : promisedAt;
