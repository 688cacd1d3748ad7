import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { order } from '~/features/order/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';

export type Owned = {
  application: Application;
  order: typeof order.$inferSelect;
  /** Whether the address is the payer's, who sees the whole order; otherwise it is a fellow traveller's. */
  isPayer: boolean;
};

/** Applications in one e-mail, at most: two large families, each with insurance; agencies write to support. */
const MOST = 4 * MOST_TRAVELLERS;

/** The applications whose traveller or payer has an email address, newest first; case is ignored. */
export async function applicationsOfEmail(db: Queryable, email: string): Promise<Owned[]> {
  const address = email.toLowerCase();
  const paid = db
    .select({ number: order.number })
    .from(order)
    .where(and(eq(sql`lower(${order.customerEmail})`, address), eq(order.lab, false)));
  // Two queries, so that each can use an index.
  const own = db
    .select({ id: application.id })
    .from(application)
    .where(eq(sql`lower(${application.email})`, address));
  const rows = await db
    .select({ application, order })
    .from(application)
    .innerJoin(order, eq(order.number, application.orderNumber))
    .where(or(inArray(application.id, own), inArray(application.orderNumber, paid)))
    .orderBy(desc(application.createdAt), desc(application.id))
    .limit(MOST);
  return rows.map((row) => ({
    ...row,
    isPayer: row.order.customerEmail.toLowerCase() === address,
  }));
}
