import { z } from 'zod';
import { usd, type Money } from '~/base/money.ts';

const money = z
  .object({ minor: z.int().positive(), currency: z.literal('USD') })
  .transform(({ minor }): Money => usd(minor));

const monies = z.record(z.string(), money);

/**
 * Prices as a change keeps them, by item.
 * @throws Error where what is kept is none, which only we can cause.
 */
export const moneyValues = (
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Money>> => monies.parse(values);
