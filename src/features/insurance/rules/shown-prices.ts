import { parseMoney, toDecimal, type Money } from '~/base/money.ts';
import type { Plan } from './plans.ts';

/** The control with the prices that the page showed. */
export const SHOWN_PRICES = 'pricesShown';

/** The prices on a page, as its form sends them back: "7-days=114.00 14-days=149.00". */
export const writePrices = (shown: readonly Plan[]): string =>
  shown.map(({ id, price }) => `${id}=${toDecimal(price)}`).join(' ');

/** The price that the page showed for a plan; null where there is none, or no valid one. */
export function priceShown(written: string, planId: string): Money | null {
  const entry = written.split(' ').find((one) => one.startsWith(`${planId}=`));
  return entry === undefined ? null : parseMoney(entry.slice(planId.length + 1));
}
