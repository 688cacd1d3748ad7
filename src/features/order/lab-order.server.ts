import { usd } from '~/base/money.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Order } from './store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { storeTogether } from '~/platform/postgres/store-together.server.ts';
import { type NewOrder, newOrder } from './new-order-store.server.ts';

/** The amount of a test payment: a 7-day insurance, 114.00 USD, as the customer's specification has it. */
const LAB_AMOUNT = usd(11_400);

/**
 * Places a marked order without applications, for the test pages: it does not appear in queue or statistics and causes
 * no emails or receipts. Test mode only, which the caller has checked.
 */
export async function placeLabOrder(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  placed: { number: string; language: string; sessionHash: Buffer | null },
): Promise<Order> {
  const { number } = placed;
  return insertOrder(
    db,
    {
      ...placed,
      customer: { name: 'Lab', email: 'lab@lale.example' },
      lab: true,
      lines: [{ applicationNumber: number, code: 'lab', detail: null, amount: LAB_AMOUNT }],
    },
    now(),
  );
}

export async function insertOrder(db: Queryable, placed: NewOrder, now: Date): Promise<Order> {
  const { order: made, rows } = newOrder(placed, now);
  await storeTogether(db, { rows });
  return made;
}
