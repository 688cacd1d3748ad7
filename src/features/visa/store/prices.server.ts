import { momentsAfter, valuesAt, type Settings } from '~/features/settings/change.ts';
import { moneyValues, seedPrices } from '~/features/settings/price-values.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { firstPrices, priceListOf, type PriceList } from '../rules/price-list.ts';

export function visaPricesAt(settings: Settings, at: Date): PriceList {
  const known = read.get(settings);
  if (known && at >= known.from && (known.until === null || at < known.until)) return known.list;
  const list = priceListOf(moneyValues(valuesAt(settings, 'visa_prices', at)));
  const [until = null] = momentsAfter(settings, 'visa_prices', at);
  read.set(settings, { from: at, until, list });
  return list;
}

/** Cached for each settings with the period in which the list holds: each request asks several times. */
const read = new WeakMap<Settings, { from: Date; until: Date | null; list: PriceList }>();

/** For prices that are shown. Those charged are stored on the condition that the settings are unchanged (`submit`). */
export const visaPrices = async ({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<PriceList> =>
  visaPricesAt(await currentSettings(db), now());

/** Seeds the first visa prices, once. */
export async function seedVisaPrices(tx: Transaction, now: Date) {
  const inserted = await seedPrices(tx, 'visa_prices', firstPrices, now);
  return { counts: {}, inserted };
}
