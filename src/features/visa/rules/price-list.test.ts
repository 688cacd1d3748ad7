import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import { firstOffice } from '~/base/dates/office.ts';
import { toDecimal, usd } from '~/base/money.ts';
import {
  speedFee,
  firstPrices,
  misorderedItems,
  toPriceList,
  quoteVisa,
  totalRange,
} from './price-list.ts';
import {
  cheapestSpeed,
  isSpeedSold,
  processingTypes,
  findSpeed,
  speedsByPath,
  usualTime,
  type PricePath,
  type ProcessingType,
  paths,
} from './speeds.ts';

const list = toPriceList(firstPrices);

/** Path, speed, processing price, total, promised and usual time: as the specification lists them. */
const table: readonly [PricePath, ProcessingType, string, string, string, string][] = [
  ['without_document', 'standard', '25.00', '94.00', '24-48 working_hours', '5-7 days'],
  ['without_document', 'fast', '75.00', '144.00', '6-12 working_hours', '1-3 days'],
  ['without_document', 'express', '175.00', '244.00', '2-4 working_hours', '24 hours'],
  ['without_document', 'urgent', '295.00', '364.00', '1-2 working_hours', '4 hours'],
  ['with_document', 'slow', '50.00', '119.00', '7-7 working_days', ''],
  ['with_document', 'standard', '115.00', '184.00', '4-4 working_days', ''],
  ['with_document', 'fast', '165.00', '234.00', '2-2 working_days', ''],
  ['with_document', 'urgent_24', '280.00', '349.00', '24-24 hours', ''],
  ['with_document', 'urgent_12', '330.00', '399.00', '12-12 hours', ''],
  ['with_document', 'urgent_4', '410.00', '479.00', '4-4 hours', ''],
  ['with_document', 'urgent_1', '645.00', '714.00', '1-1 hours', ''],
];

describe('the price list', () => {
  test.each(table)('%s, %s costs %s, in all %s', (path, type, fee, total, promised, usual) => {
    const { working } = findSpeed(path, type);
    const typical = usualTime(findSpeed(path, type), firstOffice);
    const listed = speedFee(list, path, type);
    expect(toDecimal(listed)).toBe(fee);
    expect(`${working.min}-${working.max} ${working.unit}`).toBe(promised);
    const range = typical && [typical.min, typical.max].filter((figure) => figure !== undefined);
    expect(typical && range ? `${range.join('-')} ${typical.unit}` : '').toBe(usual);
    expect(quoteVisa(list, path, type)).toEqual({
      processingType: type,
      lines: [
        { code: 'evisa_fee', detail: null, amount: list.evisaFee },
        { code: 'processing_fee', detail: type, amount: listed },
      ],
      total: { minor: Number(total) * 100, currency: 'USD' },
    });
  });

  it('says what is usual for the office hours of the specification alone', () => {
    const speed = findSpeed('without_document', 'standard');
    const closed = [{ from: '2027-01-01', to: '2027-01-02' }];
    expect(usualTime(speed, { ...firstOffice, closures: closed })).not.toBeNull();
    for (const hours of [{ opens: 8 }, { closes: 20 }, { weekdays: [1, 2, 3, 4, 5, 6] }])
      expect(usualTime(speed, { ...firstOffice, ...hours })).toBeNull();
  });

  it('sells nothing else', () => {
    const sold = paths.flatMap((path) =>
      speedsByPath(path).map(({ processingType }) => [path, processingType]),
    );
    expect(sold).toEqual(table.map(([path, type]) => [path, type]));
    expect(new Set(sold.map(([, type]) => type))).toEqual(new Set(processingTypes));
  });

  it('has an e-visa fee of $69', () => {
    expect(toDecimal(list.evisaFee)).toBe('69.00');
  });

  it('stands cheapest first, and the cheapest is the default', () => {
    for (const path of paths) {
      const fees = speedsByPath(path).map(
        ({ processingType }) => speedFee(list, path, processingType).minor,
      );
      expect(fees).toEqual(fees.toSorted((a, b) => a - b));
      expect(cheapestSpeed(path)).toBe(speedsByPath(path)[0]);
    }
    expect(cheapestSpeed('without_document').processingType).toBe('standard');
    expect(cheapestSpeed('with_document').processingType).toBe('slow');
  });

  test.each<[PricePath, string, ProcessingType]>([
    ['without_document', 'slow', 'standard'],
    ['without_document', 'urgent_1', 'standard'],
    ['without_document', '', 'standard'],
    ['without_document', 'constructor', 'standard'],
    ['with_document', 'express', 'slow'],
  ])('%s does not sell "%s": %s is priced instead', (path, asked, sold) => {
    expect(isSpeedSold(path, asked)).toBe(false);
    expect(quoteVisa(list, path, asked)).toEqual(quoteVisa(list, path, sold));
  });

  it('spans what somebody can really be charged', () => {
    const inDollars = ({ lowest, highest }: ReturnType<typeof totalRange>) =>
      `${toDecimal(lowest)} ${toDecimal(highest)}`;
    expect(inDollars(totalRange(list))).toBe('94.00 714.00');
    expect(inDollars(totalRange(list, 'without_document'))).toBe('94.00 364.00');
    expect(inDollars(totalRange(list, 'with_document'))).toBe('119.00 714.00');
  });
});

describe('a list with other prices', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  const anyPrices = fc
    .record(Object.fromEntries(Object.keys(firstPrices).map((item) => [item, cents])), {
      requiredKeys: [],
    })
    .map((some) =>
      Object.fromEntries(
        Object.entries(some).flatMap(([item, minor]) =>
          minor === undefined ? [] : [[item, usd(minor)] as const],
        ),
      ),
    );

  it('charges each item as it is listed, and what is not listed as at first', () => {
    fc.assert(
      fc.property(anyPrices, (prices) => {
        const other = toPriceList(prices);
        const listed = (item: string) => (prices[item] ?? firstPrices[item] ?? usd(0)).minor;
        for (const path of paths) {
          for (const { processingType } of speedsByPath(path)) {
            const { lines, total } = quoteVisa(other, path, processingType);
            expect(lines.map(({ amount }) => amount.minor)).toEqual([
              listed('evisa_fee'),
              listed(`${path}.${processingType}`),
            ]);
            expect(total.minor).toBe(listed('evisa_fee') + listed(`${path}.${processingType}`));
            const { lowest, highest } = totalRange(other, path);
            expect(total.minor).toBeGreaterThanOrEqual(lowest.minor);
            expect(total.minor).toBeLessThanOrEqual(highest.minor);
          }
        }
      }),
    );
  });

  it('holds only where a faster speed is dearer', () => {
    expect(misorderedItems(firstPrices)).toEqual([]);
    expect(misorderedItems({ 'without_document.fast': usd(25_00) })).toEqual([
      'without_document.fast',
    ]);
    expect(misorderedItems({ 'with_document.slow': usd(200_00) })).toEqual([
      'with_document.standard',
    ]);
    fc.assert(
      fc.property(anyPrices, (prices) => {
        const other = toPriceList(prices);
        const dearerWhenFaster = paths.every((path) => {
          const fees = speedsByPath(path).map(
            ({ processingType }) => speedFee(other, path, processingType).minor,
          );
          return fees.every((fee, index) => index === 0 || fee > (fees[index - 1] ?? 0));
        });
        expect(misorderedItems(prices).length === 0).toBe(dearerWhenFaster);
      }),
    );
  });
});
