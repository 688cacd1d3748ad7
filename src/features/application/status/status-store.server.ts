import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { usd } from '~/base/money.ts';
import { sumOfRefunds, type Returned } from '~/features/order/refunds/order-refund-store.server.ts';
import type { Receipt } from '~/features/order/receipt/store.server.ts';
import { orderReceipt } from '~/features/order/receipt/tables.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { payerCancelledAtSql } from '~/features/order/refunds/cancellation-store.server.ts';
import { order, orderCancellation } from '~/features/order/tables.server.ts';
import type { Attempt } from '~/features/payment/settlement/store.server.ts';
import { paymentAttempt } from '~/features/payment/settlement/tables.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Correction } from '../correction/correction-store.server.ts';
import { isOpenCorrection } from '../correction/correction-store.server.ts';
import type { Application, ApplicationDocument } from '../store.server.ts';
import {
  application,
  applicationCorrection,
  applicationDocument,
  applicationEvent,
} from '../tables.server.ts';

/** An application as its status page shows it. */
export type StatusFacts = {
  application: Application;
  document: ApplicationDocument | null;
  /** The correction that is open; the database allows one (`application_correction_open`). */
  correction: Correction | null;
  processingAt: Date | null;
  /** When its payer cancelled it on the status page. */
  cancelledAt: Date | null;
  returned: Returned;
};

const statusFacts = prepareOnce((db) => {
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
  const returned = sumOfRefunds(db, application.number).as('returned');
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
export async function statusFactsOf(db: Queryable, number: string): Promise<StatusFacts[]> {
  const rows = await statusFacts(db).execute({ number });
  return rows.map(({ done, coming, ...row }) => ({
    ...row,
    returned: { done: usd(done ?? 0), coming: usd(coming ?? 0) },
  }));
}

export type OrderStatusFacts = {
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
export async function orderStatusFacts(db: Queryable, number: string): Promise<OrderStatusFacts> {
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
