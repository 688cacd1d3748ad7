import { z } from 'zod';
import { usd, type Money } from '~/base/money.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { SettingsSection } from './change.ts';
import { lockSettings, insertChange, readSettings } from './store.server.ts';

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

/** A date before anything was sold. */
const FROM_THE_BEGINNING = new Date(0);

/** Stores the first prices of a section, once; later releases do not change them. Returns how many were added. */
export async function seedPrices(
  tx: Transaction,
  section: SettingsSection,
  prices: Readonly<Record<string, Money>>,
  now: Date,
): Promise<number> {
  const isThere = async () =>
    (await readSettings(tx)).changes.some((change) => change.section === section);
  if (await isThere()) return 0;
  await lockSettings(tx);
  if (await isThere()) return 0;
  await insertChange(tx, {
    section,
    values: prices,
    validFrom: FROM_THE_BEGINNING,
    reason: '',
    staffId: null,
    createdAt: now,
  });
  return Object.keys(prices).length;
}
