import { z } from 'zod';
import type { Money } from '~/base/money.ts';
import { moneyValues } from '~/features/settings/money-values.server.ts';

const SALE = '.on_sale';

/** In the ledger of settings a plan's price stands under its id, and under this whether it is sold (it is, until told). */
export const saleSubject = (planId: string): string => `${planId}${SALE}`;

const sales = z.record(z.string(), z.boolean());

/**
 * What a decision about plans, or what is in force of all of them, says: prices and whether it is sold, by plan;
 * nothing of a plan that it says nothing about.
 * @throws Error where what is kept is neither, which only we can cause.
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
