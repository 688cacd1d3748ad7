import { parseMoney, toDecimal, type Money } from '~/base/money.ts';
import type { Plan } from './plans.ts';

/** The control that brings back what the page showed. */
export const SHOWN_PRICES = 'pricesShown';

/** What a page shows for each plan, for its form to bring back: "7-days=114.00 14-days=149.00". */
export const writePrices = (shown: readonly Plan[]): string =>
  shown.map(({ id, price }) => `${id}=${toDecimal(price)}`).join(' ');

/** What the page showed for a plan; null where it showed none, or brings back something else. */
export function priceShown(written: string, planId: string): Money | null {
  const entry = written.split(' ').find((one) => one.startsWith(`${planId}=`));
  return entry === undefined ? null : parseMoney(entry.slice(planId.length + 1));
}
