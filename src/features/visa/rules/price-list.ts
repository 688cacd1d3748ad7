import { add, usd, type Money } from '~/base/money.ts';
import {
  cheapestSpeed,
  paths,
  speedNamed,
  speedsFor,
  type Path,
  type ProcessingType,
  type Sold,
} from './speeds.ts';

/**
 * An item with a price: the fee of every e-visa, or one speed of one path. A speed's price is the processing price; on
 * the path with a document it is the supporting-document charge.
 */
export type PriceItem = 'evisa_fee' | { [P in Path]: `${P}.${Sold[P]}` }[Path];

/** All prices of a visa at one moment: a plain value, made on the server and passed to whatever shows or charges it. */
export type PriceList = {
  /** Lale's own fee for every e-visa, called "PDF fee" in the order summary. Not a government fee. */
  readonly evisaFee: Money;
  readonly fees: Readonly<Record<Path, Readonly<Partial<Record<ProcessingType, Money>>>>>;
};

/**
 * The first prices, those of the customer's specification, cheapest first on each path; administrators change them later.
 * A speed without a price does not compile.
 */
export const defaultPrices: Readonly<Record<PriceItem, Money>> = {
  evisa_fee: usd(69_00),
  'without_document.standard': usd(25_00),
  'without_document.fast': usd(75_00),
  'without_document.express': usd(175_00),
  'without_document.urgent': usd(295_00),
  'with_document.slow': usd(50_00),
  'with_document.standard': usd(115_00),
  'with_document.fast': usd(165_00),
  'with_document.urgent_24': usd(280_00),
  'with_document.urgent_12': usd(330_00),
  'with_document.urgent_4': usd(410_00),
  'with_document.urgent_1': usd(645_00),
};

export const isPriceItem = (name: string): name is PriceItem => Object.hasOwn(defaultPrices, name);

export const priceItems: readonly PriceItem[] = Object.keys(defaultPrices).filter(isPriceItem);

/** The items of a path, cheapest first. */
export const speedItems = (path: Path): readonly PriceItem[] =>
  priceItems.filter((item) => item.startsWith(`${path}.`));

/** The price list of these prices, by item; missing ones have their first price. */
export function priceListOf(prices: Readonly<Record<string, Money>>): PriceList {
  const price = (item: PriceItem): Money => prices[item] ?? defaultPrices[item];
  const feesOf = (path: Path) =>
    Object.fromEntries(speedItems(path).map((item) => [item.slice(path.length + 1), price(item)]));
  return {
    evisaFee: price('evisa_fee'),
    fees: {
      without_document: feesOf('without_document'),
      with_document: feesOf('with_document'),
    },
  };
}

/** The items whose price is not above that of the slower one. Empty where the list is consistent. */
export const itemsOutOfOrder = (prices: Readonly<Record<string, Money>>): readonly PriceItem[] =>
  paths.flatMap((path) => {
    const list = priceListOf(prices);
    const speeds = speedsFor(path);
    return speeds.flatMap(({ processingType }, index): PriceItem[] => {
      const slower = speeds[index - 1];
      const rises =
        !slower ||
        feeFor(list, path, slower.processingType).minor < feeFor(list, path, processingType).minor;
      return rises ? [] : speedItems(path).slice(index, index + 1);
    });
  });

/** The processing price. An unknown speed costs what the path's cheapest does. */
export function feeFor(list: PriceList, path: Path, processingType: string): Money {
  const fee = list.fees[path][speedNamed(path, processingType).processingType];
  if (!fee) throw new Error(`${path}.${processingType} has no price`);
  return fee;
}

export type QuoteLine = {
  readonly code: 'evisa_fee' | 'processing_fee';
  readonly amount: Money;
};
export type Quote = {
  /** The speed that is priced: the one asked for, or the cheapest. */
  readonly processingType: ProcessingType;
  readonly lines: readonly QuoteLine[];
  readonly total: Money;
};

/** What one visa application costs, line by line. */
export function quote(list: PriceList, path: Path, processingType: string): Quote {
  const sold = speedNamed(path, processingType);
  const fee = feeFor(list, path, processingType);
  return {
    processingType: sold.processingType,
    lines: [
      { code: 'evisa_fee', amount: list.evisaFee },
      { code: 'processing_fee', amount: fee },
    ],
    total: add(list.evisaFee, fee),
  };
}

/** The lowest and the highest total, on one path or both. */
export function totalRange(list: PriceList, path?: Path): { lowest: Money; highest: Money } {
  const fees = (path ? [path] : paths).flatMap((one) =>
    speedsFor(one).map(({ processingType }) => feeFor(list, one, processingType).minor),
  );
  return {
    lowest: add(list.evisaFee, usd(Math.min(...fees))),
    highest: add(list.evisaFee, usd(Math.max(...fees))),
  };
}

/** The total for the cheapest speed of a path. */
export const lowestTotal = (list: PriceList, path: Path): Money =>
  quote(list, path, cheapestSpeed(path).processingType).total;
