import { coverStart } from './cover-start.ts';
import {
  applicationsOfOrder,
  eventsByApplication,
  type Application,
  type ApplicationEvent,
} from '~/features/application/store.server.ts';
import { insuranceRows } from '~/features/insurance/store/store.server.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { boughtLines } from '~/features/order/refunds/propose-refund.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { uncancellable, type CancellationFacts, type Uncancellable } from './cancellation.ts';
import { endsByRefund } from './end-case.server.ts';
import { wasHandled } from './rejection-refund.server.ts';

/** A paid order as its payer may cancel it. */
export type Cancellable = {
  order: Order & { paidAt: Date };
  /** By traveller, each with the reason why it cannot be cancelled; null where it can. */
  applications: { application: Application; why: Uncancellable | null }[];
  events: ReadonlyMap<string, readonly ApplicationEvent[]>;
};

/** What decides on the cancellation of an order's applications; null for an order that is not paid. Reads only. */
export async function cancellableOf(
  db: Queryable,
  order: Order,
  now: Date,
): Promise<Cancellable | null> {
  const { paidAt } = order;
  if (!paidAt || order.paidBy === null) return null;
  const applications = await applicationsOfOrder(db, order.number);
  const ids = applications.map(({ id }) => id);
  const insurances = await insuranceRows(db, ids);
  const refunds = await refundsOfOrder(db, order.id);
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

/** What the cancellation of some of its applications is computed from. */
export async function quoteFacts(
  db: Queryable,
  { order, applications, events }: Cancellable,
  numbers: readonly string[],
): Promise<CancellationFacts> {
  const meant = applications.filter(({ application }) => numbers.includes(application.number));
  return {
    policy: order.refundPolicy,
    paidAt: order.paidAt,
    lines: await boughtLines(db, order),
    applications: new Map(
      meant.map(({ application }) => [
        application.number,
        {
          pending: !wasHandled(events.get(application.id) ?? []),
          startsAt: coverStart(application),
          promisedAt: missableOf(application),
        },
      ]),
    ),
  };
}

/** The promised moment that can be missed: none while it is paused in time. */
const missableOf = ({ promisedAt, pausedAt }: Application): Date | null =>
  promisedAt && pausedAt && pausedAt <= promisedAt ? null : promisedAt;
