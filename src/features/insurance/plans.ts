import { usd, type Money } from '~/base/money.ts';

export type Plan = {
  /** Length of the cover, both days included. */
  readonly days: number;
  readonly price: Money;
};

/** The seven plans by length of cover (specification, section 9), shortest and cheapest first. */
export const plans = [
  { days: 7, price: usd(114_00) },
  { days: 14, price: usd(149_00) },
  { days: 30, price: usd(189_00) },
  { days: 60, price: usd(249_00) },
  { days: 90, price: usd(299_00) },
  { days: 180, price: usd(399_00) },
  { days: 365, price: usd(549_00) },
] as const satisfies readonly [Plan, ...Plan[]];
