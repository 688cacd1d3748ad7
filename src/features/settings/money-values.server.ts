import { z } from 'zod';
import { usd, type Money } from '~/base/money.ts';

const money = z
  .object({ minor: z.int().positive(), currency: z.literal('USD') })
  .transform(({ minor }): Money => usd(minor));

const monies = z.record(z.string(), money);

/**
 * The prices in a stored decision, by item.
 * @throws Error for a stored value that is no price, which only a fault of ours can cause.
 */
export const moneyValues = (
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Money>> => monies.parse(values);
