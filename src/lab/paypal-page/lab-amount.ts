import { usd } from '~/base/money.ts';

/** What every test payment is about, whatever a page is told: a 7-day insurance (specification, section 2). */
export const LAB_AMOUNT = usd(11_400);
