import type { ServiceCode } from '~/features/order/service-code.ts';
import { randomUUID } from 'node:crypto';
import { usd, type Money } from '~/base/money.ts';
import { fullName } from '~/features/application/full-name.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber, type Application } from '~/features/application/store.server.ts';
import { isSameTraveller } from '~/features/application/travellers.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import {
  cancellationById,
  orderRefundById,
} from '~/features/order/refunds/order-refund-store.server.ts';
import type { RefundReason } from '~/features/order/refund-cause.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { isUuid } from '~/base/uuid.ts';
import { amountsOf, quoteCancellation, type Uncancellable } from './cancellation.ts';
import { cancellableOf, quoteFacts, type Cancellable } from './cancellation-facts.server.ts';

/** An application as the page of a cancellation names it. */
export type Named = { number: string; kind: 'visa' | 'insurance'; name: string };

export type QuotedLine = {
  id: string;
  code: string;
  detail: ServiceCode | null;
  paid: Money;
  refund: Money;
  reason: RefundReason;
};

/**
 * What the page of a cancellation shows. `link`: the browser is not the payer's. `nothing`: with the reasons. `choose`:
 * several can be cancelled. `quote`: what is refunded of those chosen, to be confirmed.
 */
export type CancelView =
  | { kind: 'link' }
  | { kind: 'nothing'; why: (Named & { why: Uncancellable })[] }
  | { kind: 'choose'; choices: Named[]; isMissing: boolean }
  | {
      kind: 'quote';
      /** Of this one showing of the amounts. */
      id: string;
      shown: string;
      applications: (Named & { lines: QuotedLine[] })[];
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
export type CancelAsked = {
  ref: string;
  applications: readonly string[];
  isChosen: boolean;
  done: string | null;
};

/** The order of an application's number or an order's; null for an unknown one. */
export async function orderToCancel(db: Queryable, typed: string): Promise<Order | null> {
  const read = readNumber(typed);
  if (!read.ok) return null;
  const application = await applicationByNumber(db, read.number);
  return orderByNumber(db, application?.orderNumber ?? read.number);
}

/**
 * What a browser sees that wants to cancel; null for an unknown number and an unpaid order. An order's number offers all
 * of the order, an application's those of the same traveller. Reads only.
 */
export async function cancelView(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  asked: CancelAsked,
  sessionHash: Buffer | null,
): Promise<CancelView | null> {
  const order = await orderToCancel(db, asked.ref);
  if (!order || order.lab) return null;
  const at = now();
  const found = await cancellableOf(db, order, at);
  if (!found) return null;
  if (!(await isPayer(db, sessionHash, order))) return { kind: 'link' };
  const done = await doneOf(db, order, asked.done);
  if (done) return done;
  const offered = offeredBy(found, asked.ref);
  const choices = offered.filter(({ why }) => why === null);
  if (choices.length === 0) {
    return {
      kind: 'nothing',
      why: offered.flatMap(({ application, why }) => (why ? [{ ...named(application), why }] : [])),
    };
  }
  const numbers = choices.map(({ application }) => application.number);
  const chosen =
    numbers.length === 1
      ? numbers
      : numbers.filter((number) => asked.applications.includes(number));
  if (chosen.length === 0) {
    const applications = choices.map(({ application }) => named(application));
    return { kind: 'choose', choices: applications, isMissing: asked.isChosen };
  }
  return quoteView(db, found, { chosen, canChoose: numbers.length > 1 }, at);
}

/** What cancelling one application pays back now. */
export type CancelNow = {
  total: Money;
  /** The last moment at which that holds; null where it does not change. */
  holdsUntil: Date | null;
  /** Only while it has not been sent to the authorities. */
  isWhilePending: boolean;
};

/**
 * What the status page says of cancelling to the payer's browser, the same as the page that cancels; null for any other
 * browser, and where nothing can be cancelled.
 */
export async function quoteCancelNow(
  platform: Pick<Platform, 'db' | 'now'>,
  number: string,
  sessionHash: Buffer,
): Promise<CancelNow | null> {
  const asked = { ref: number, applications: [number], isChosen: false, done: null };
  const view = await cancelView(platform, asked, sessionHash);
  if (view?.kind !== 'quote') return null;
  const { total, holdsUntil, isWhilePending } = view;
  return { total, holdsUntil, isWhilePending };
}

async function quoteView(
  db: Queryable,
  found: Cancellable,
  { chosen, canChoose }: { chosen: readonly string[]; canChoose: boolean },
  at: Date,
): Promise<CancelView> {
  const quote = quoteCancellation(await quoteFacts(db, found, chosen), at);
  const details = new Map(
    (await linesOf(db, found.order.id)).map(({ id, detail }) => [id, detail]),
  );
  const applications = found.applications
    .filter(({ application }) => chosen.includes(application.number))
    .map(({ application }) => ({
      ...named(application),
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
    shown: amountsOf(quote.lines),
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

/** Only a cancellation of this order is shown. */
async function doneOf(db: Queryable, order: Order, id: string | null): Promise<CancelView | null> {
  const cancellation = id !== null && isUuid(id) ? await cancellationById(db, id) : null;
  if (!cancellation || cancellation.orderId !== order.id) return null;
  const found = await orderRefundById(db, cancellation.id);
  return { kind: 'done', refund: found && usd(found.payment.amountMinor) };
}

function offeredBy({ order, applications }: Cancellable, typed: string) {
  const read = readNumber(typed);
  const asked = applications.find(
    ({ application }) => read.ok && application.number === read.number,
  );
  if (!asked || order.number === asked.application.number) return applications;
  return applications.filter(({ application }) => isSameTraveller(application, asked.application));
}

const named = ({ number, kind, ...names }: Application): Named => ({
  number,
  kind,
  name: fullName(names),
});
