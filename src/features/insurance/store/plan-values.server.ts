import { z } from 'zod';
import type { Money } from '~/base/money.ts';
import { moneyValues } from '~/features/settings/price-values.server.ts';

const SALE = '.on_sale';

/** The setting that says whether a plan is sold (it is by default); its price is the setting named by its id. */
export const saleSubject = (planId: string): string => `${planId}${SALE}`;

const sales = z.record(z.string(), z.boolean());

/**
 * Reads prices and whether each plan is sold from a decision's values, or from all values in force. Plans it does not
 * mention are absent.
 * @throws Error for stored values of another kind, which only a fault of ours can cause.
 */
export function readPlanValues(values: Readonly<Record<string, unknown>>): {
  prices: Readonly<Record<string, Money>>;
  sale: Readonly<Record<string, boolean>>;
} {
  const [about, rest] = [[] as [string, unknown][], [] as [string, unknown][]];
  for (const [subject, value] of Object.entries(values)) {
    if (subject.endsWith(SALE)) about.push([subject.slice(0, -SALE.length), value]);
    else rest.push([subject, value]);
  }
  return {
    prices: moneyValues(Object.fromEntries(rest)),
    sale: sales.parse(Object.fromEntries(about)),
  };
}
