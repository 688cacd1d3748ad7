import { parseMoney, type Money } from '~/base/money.ts';
import { refundCauses } from '~/features/order/refund-cause.ts';
import type { Order } from '~/features/order/store.server.ts';
import { formText } from './form-text.ts';
import type { RefundChoice } from './refunds.server.ts';

const MINUTE = 60_000;
const WALL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** `2026-11-21T10:05` in UTC, as the field of a form holds it. */
export const wallUtc = (at: Date): string => at.toISOString().slice(0, 16);

/** What is asked for, from a query or a form; null where it is not all there. `asked` is a moment in UTC, or empty: now. */
export function readChoice(
  fields: URLSearchParams | FormData,
  order: Order,
  now: Date,
): RefundChoice | null {
  const cause = refundCauses.find((code) => code === fields.get('cause'));
  const asked = readMoment(fields.get('asked'), order, now);
  if (!cause || !asked) return null;
  const applications = fields.getAll('app').filter((value) => typeof value === 'string');
  return { cause, askedAt: asked, applications };
}

function readMoment(typed: FormDataEntryValue | null, order: Order, now: Date): Date | null {
  if (typed === null || typed === '') return now;
  if (typeof typed !== 'string' || !WALL.test(typed)) return null;
  const at = new Date(`${typed}:00Z`);
  if (Number.isNaN(at.getTime())) return null;
  // The field knows no seconds: the minute of the payment is not before it.
  const paid = order.paidAt?.getTime() ?? 0;
  return at.getTime() < paid && paid - at.getTime() < MINUTE ? new Date(paid) : at;
}

/** `amount-<line>` → an amount; what is no amount stands in `wrong`. */
export function readAmounts(form: FormData): { amounts: Map<string, Money>; wrong: string[] } {
  const amounts = new Map<string, Money>();
  const wrong: string[] = [];
  for (const name of form.keys()) {
    if (!name.startsWith('amount-')) continue;
    const typed = formText(form, name).trim().replace(/^\$/, '').replace(',', '.');
    const lineId = name.slice('amount-'.length);
    const money = typed === '' ? parseMoney(0) : parseMoney(typed);
    if (money) amounts.set(lineId, money);
    else wrong.push(lineId);
  }
  return { amounts, wrong };
}
