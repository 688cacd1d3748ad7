import { firstPrices, toPriceList, type PriceList } from '../rules/price-list.ts';

/** The prices before anybody changed one. */
export const firstPriceList: PriceList = toPriceList(firstPrices);
