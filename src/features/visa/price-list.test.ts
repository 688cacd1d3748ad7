import { describe, expect, it, test } from 'vitest';
import { toDecimal } from '~/base/money.ts';
import {
  cheapestSpeed,
  evisaFee,
  isSoldOn,
  processingTypes,
  quote,
  speedNamed,
  speedsFor,
  totalRange,
  type Path,
  type ProcessingType,
} from './price-list.ts';

const paths: readonly Path[] = ['without_document', 'with_document'];

/** Path, speed, processing price, total, what is promised, what is usual: as the specification lists them. */
const table: readonly [Path, ProcessingType, string, string, string, string][] = [
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
    const { working, typical, fee: listed } = speedNamed(path, type);
    expect(toDecimal(listed)).toBe(fee);
    expect(`${working.min}-${working.max} ${working.unit}`).toBe(promised);
    const range = typical && [typical.min, typical.max].filter((figure) => figure !== undefined);
    expect(typical && range ? `${range.join('-')} ${typical.unit}` : '').toBe(usual);
    expect(quote(path, type)).toEqual({
      processingType: type,
      lines: [
        { code: 'evisa_fee', amount: evisaFee },
        { code: 'processing_fee', amount: listed },
      ],
      total: { minor: Number(total) * 100, currency: 'USD' },
    });
  });

  it('sells nothing else', () => {
    const sold = paths.flatMap((path) =>
      speedsFor(path).map(({ processingType }) => [path, processingType]),
    );
    expect(sold).toEqual(table.map(([path, type]) => [path, type]));
    expect(new Set(sold.map(([, type]) => type))).toEqual(new Set(processingTypes));
  });

  it('has an e-visa fee of $69', () => {
    expect(toDecimal(evisaFee)).toBe('69.00');
  });

  it('stands cheapest first, and the cheapest is the default', () => {
    for (const path of paths) {
      const fees = speedsFor(path).map(({ fee }) => fee.minor);
      expect(fees).toEqual(fees.toSorted((a, b) => a - b));
      expect(cheapestSpeed(path)).toBe(speedsFor(path)[0]);
    }
    expect(cheapestSpeed('without_document').processingType).toBe('standard');
    expect(cheapestSpeed('with_document').processingType).toBe('slow');
  });

  test.each<[Path, string, ProcessingType]>([
    ['without_document', 'slow', 'standard'],
    ['without_document', 'urgent_1', 'standard'],
    ['without_document', '', 'standard'],
    ['without_document', 'constructor', 'standard'],
    ['with_document', 'express', 'slow'],
  ])('%s does not sell "%s": %s is priced instead', (path, asked, sold) => {
    expect(isSoldOn(path, asked)).toBe(false);
    expect(quote(path, asked)).toEqual(quote(path, sold));
  });

  it('spans what somebody can really be charged', () => {
    const inDollars = ({ lowest, highest }: ReturnType<typeof totalRange>) =>
      `${toDecimal(lowest)} ${toDecimal(highest)}`;
    expect(inDollars(totalRange())).toBe('94.00 714.00');
    expect(inDollars(totalRange('without_document'))).toBe('94.00 364.00');
    expect(inDollars(totalRange('with_document'))).toBe('119.00 714.00');
  });
});
