import { add, usd, type Money } from '~/base/money.ts';
import {
  cheapestSpeed,
  paths,
  findSpeed,
  speedsByPath,
  type PricePath,
  type ProcessingType,
} from './speeds.ts';

/**
 * An item with a price: the fee of every e-visa, or one speed of one path. A speed's price is the processing price; on
 * the path with a document it is the supporting-document charge.
 */
type PriceItem = 'evisa_fee' | `${PricePath}.${ProcessingType}`;

/** All prices of a visa at one moment: a plain value, made on the server and passed to whatever shows or charges it. */
export type PriceList = {
  /** Lale's own fee for every e-visa, called "PDF fee" in the order summary. Not a government fee. */
  readonly evisaFee: Money;
  readonly fees: Readonly<Record<PricePath, Readonly<Partial<Record<ProcessingType, Money>>>>>;
};

/** The first e-visa fee, of the customer's specification; administrators change it later. */
export const FIRST_EVISA_FEE = usd(69_00);

export const speedItem = (path: PricePath, processingType: ProcessingType): PriceItem =>
  `${path}.${processingType}`;

/** The first price of every item, cheapest first on each path. */
export const firstPrices: Readonly<Record<string, Money>> = Object.fromEntries<Money>([
  ['evisa_fee', FIRST_EVISA_FEE],
  ...paths.flatMap((path) =>
    speedsByPath(path).map(
      ({ processingType, firstPrice }) => [speedItem(path, processingType), firstPrice] as const,
    ),
  ),
]);

/** The price list of these prices, by item; missing ones have their first price. */
export function toPriceList(prices: Readonly<Record<string, Money>>): PriceList {
  const feesOf = (path: PricePath) =>
    Object.fromEntries(
      speedsByPath(path).map(({ processingType, firstPrice }) => [
        processingType,
        prices[speedItem(path, processingType)] ?? firstPrice,
      ]),
    );
  return {
    evisaFee: prices.evisa_fee ?? FIRST_EVISA_FEE,
    fees: {
      without_document: feesOf('without_document'),
      with_document: feesOf('with_document'),
    },
  };
}

/** The items whose price is not above that of the slower one. Empty where the list is consistent. */
export const misorderedItems = (prices: Readonly<Record<string, Money>>): readonly PriceItem[] =>
  paths.flatMap((path) => {
    const list = toPriceList(prices);
    const speeds = speedsByPath(path);
    return speeds.flatMap(({ processingType }, index): PriceItem[] => {
      const slower = speeds[index - 1];
      const rises =
        !slower ||
        speedFee(list, path, slower.processingType).minor <
          speedFee(list, path, processingType).minor;
      return rises ? [] : [speedItem(path, processingType)];
    });
  });

/** The processing price. An unknown speed costs what the path's cheapest does. */
export function speedFee(list: PriceList, path: PricePath, processingType: string): Money {
  const fee = list.fees[path][findSpeed(path, processingType).processingType];
  if (!fee) throw new Error(`${path}.${processingType} has no price`);
  return fee;
}

export type QuoteLine = {
  readonly code: 'evisa_fee' | 'processing_fee';
  /** The speed of the processing fee. */
  readonly detail: ProcessingType | null;
  readonly amount: Money;
};
type SpeedQuote = {
  /** The speed that is priced: the one asked for, or the cheapest. */
  readonly processingType: ProcessingType;
  readonly lines: readonly QuoteLine[];
  readonly total: Money;
};

/** What one visa application costs, line by line. */
export function quoteVisa(list: PriceList, path: PricePath, processingType: string): SpeedQuote {
  const { processingType: priced } = findSpeed(path, processingType);
  const fee = speedFee(list, path, priced);
  return {
    processingType: priced,
    lines: [
      { code: 'evisa_fee', detail: null, amount: list.evisaFee },
      { code: 'processing_fee', detail: priced, amount: fee },
    ],
    total: add(list.evisaFee, fee),
  };
}

/** The lowest and the highest total, on one path or both. */
export function totalRange(list: PriceList, path?: PricePath): { lowest: Money; highest: Money } {
  const fees = (path ? [path] : paths).flatMap((one) =>
    speedsByPath(one).map(({ processingType }) => speedFee(list, one, processingType).minor),
  );
  return {
    lowest: add(list.evisaFee, usd(Math.min(...fees))),
    highest: add(list.evisaFee, usd(Math.max(...fees))),
  };
}

/** The total for the cheapest speed of a path. */
export const lowestTotal = (list: PriceList, path: PricePath): Money =>
  quoteVisa(list, path, cheapestSpeed(path).processingType).total;
