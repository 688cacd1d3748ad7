import { parseMoney, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { staffRefundCauses } from '~/features/order/refund-cause.ts';
import type { Order } from '~/features/order/store.server.ts';
import { readMinute } from '../day-filter/typed-day.ts';
import { formText } from '~/platform/input/form-text.ts';
import type { RefundChoice } from './refunds.server.ts';

const MINUTE = 60_000;

/** An application of an order by number, and whose it is. */
export type Bought = { number: string; travellerPosition: number };

/** The named applications: each by its number (`app`), or all of a traveller by position (`traveller`). */
export function namedApplications(
  fields: URLSearchParams | FormData,
  bought: readonly Bought[],
): string[] {
  const apps = fields.getAll('app').filter((value) => typeof value === 'string');
  const positions = fields.getAll('traveller').map(Number);
  const ofTravellers = bought
    .filter(({ travellerPosition }) => positions.includes(travellerPosition))
    .map(({ number }) => number);
  return [...new Set([...apps, ...ofTravellers])];
}

/** The choice in a query or form, or what is missing. `asked` is a UTC minute as typed, or empty for now. */
export function readChoice(
  fields: URLSearchParams | FormData,
  order: Order,
  bought: readonly Bought[],
  now: Date,
): Outcome<RefundChoice, { code: 'choice' | 'asked_unreadable' }> {
  const cause = staffRefundCauses.find((code) => code === fields.get('cause'));
  if (!cause) return refused({ code: 'choice' });
  const asked = readAsked(fields.get('asked'), order, now);
  if (!asked) return refused({ code: 'asked_unreadable' });
  return ok({ cause, askedAt: asked, applications: namedApplications(fields, bought) });
}

function readAsked(typed: FormDataEntryValue | null, order: Order, now: Date): Date | null {
  if (typed === null || typed === '') return now;
  const at = typeof typed === 'string' ? readMinute(typed) : null;
  if (!at) return null;
  // The field has no seconds, so the minute of the payment counts as not before it.
  const paid = order.paidAt?.getTime() ?? 0;
  return at.getTime() < paid && paid - at.getTime() < MINUTE ? new Date(paid) : at;
}

/** Reads `amount-<line>` fields; lines with an invalid amount are in `wrong`. */
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
