import { valuesAt, type Settings } from '~/features/settings/change.ts';
import { moneyValues } from '~/features/settings/money-values.server.ts';
import { seedPrices } from '~/features/settings/seed.server.ts';
import { currentSettings, readSettings } from '~/features/settings/store.server.ts';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { firstPrices, priceListOf, type PriceList } from './price-list.ts';

export const visaPricesAt = (settings: Settings, at: Date): PriceList =>
  priceListOf(moneyValues(valuesAt(settings, 'visa_prices', at)));

/** To be shown: a second old at most. What is charged is asked of `visaPricesIn`. */
export const visaPrices = async ({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<PriceList> =>
  visaPricesAt(await currentSettings(db), now());

/** To be charged: as the transaction that stores the order sees them. */
export const visaPricesIn = async (tx: Queryable, now: Date): Promise<PriceList> =>
  visaPricesAt(await readSettings(tx), now);

/** Keeps the first visa prices, once. */
export async function seedVisaPrices(tx: Transaction, now: Date) {
  const inserted = await seedPrices(tx, 'visa_prices', firstPrices, now);
  return { counts: {}, inserted };
}
