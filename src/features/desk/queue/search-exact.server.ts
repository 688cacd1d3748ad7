import { isUuid } from '~/base/uuid.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { orderNumberOfRefund } from '~/features/order/refunds/order-refund-store.server.ts';
import { readReceiptNumber } from '~/features/order/receipt/receipt-number.ts';
import { orderNumberOfReceipt } from '~/features/order/receipt/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { referencesOf } from '~/features/payment/settlement/store.server.ts';
import { erasedAtOf } from '../privacy/deletions.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

/** Longer than any provider's id. */
const LONGEST_ID = 100;

/**
 * The page of what a complete number names: an application, also one that was erased on request; an order, by its number, its receipt's or credit note's, or
 * the id of a payment or refund, ours or the provider's. Null for anything else, for unknown numbers, and for an id
 * that several orders share. Uses unique indexes only.
 */
export async function pageOfExact(
  { db, sealer }: { db: Queryable; sealer: Pick<Sealer, 'keyedHash'> },
  typed: string,
): Promise<string | null> {
  const text = typed.trim();
  if (text === '' || text.length > LONGEST_ID) return null;
  const read = readNumber(text);
  if (read.ok && read.kind !== 'group') {
    const found = await applicationByNumber(db, read.number);
    const isThere = found !== null || (await erasedAtOf(db, sealer, read.number)) !== null;
    const tab = read.kind === 'visa' ? '' : '?tab=insurance';
    return isThere ? `/admin/applications/${read.number}${tab}#application` : null;
  }
  if (read.ok) {
    const found = await orderByNumber(db, read.number);
    return found && orderPage(found.number);
  }
  const receipt = readReceiptNumber(text);
  if (receipt) {
    const number = await orderNumberOfReceipt(db, receipt);
    return number === null ? null : `${orderPage(number)}#receipts`;
  }
  // Names and addresses contain spaces or signs; providers' ids do not.
  if (!/^[\w.-]{6,}$/.test(text)) return null;
  if (isUuid(text)) {
    const number = await orderNumberOfRefund(db, text);
    if (number !== null) return `${orderPage(number)}#refund-${text.toLowerCase()}`;
  }
  const [reference, ...more] = await referencesOf(db, text);
  if (reference === undefined || more.length > 0) return null;
  const found = await orderByNumber(db, reference);
  return found && orderPage(found.number);
}

const orderPage = (number: string) => `/admin/orders/${number}`;
