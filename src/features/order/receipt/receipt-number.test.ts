import { describe, expect, it } from 'vitest';
import { readReceiptNumber, receiptNumber } from './receipt-facts.ts';

describe('the number of a receipt', () => {
  it.each([
    ['receipt', 2026, 1, 'LR-2026-000001'],
    ['credit_note', 2026, 42, 'LC-2026-000042'],
    ['receipt', 2031, 1_234_567, 'LR-2031-1234567'],
  ] as const)('of a %s in %d, the %dth, is %s', (kind, year, serial, number) => {
    expect(receiptNumber(kind, year, serial)).toBe(number);
  });

  it('is never made of a serial that no counter gives', () => {
    expect(() => receiptNumber('receipt', 2026, 0)).toThrow(RangeError);
    expect(() => receiptNumber('receipt', 2026, 1.5)).toThrow(RangeError);
  });

  it.each([
    ['LR-2026-000001', { kind: 'receipt', year: 2026, serial: 1 }],
    [' lc 2031 1234567 ', { kind: 'credit_note', year: 2031, serial: 1_234_567 }],
    ['LR-2026-000000', null],
    ['LX-2026-000001', null],
    ['LR-2026', null],
    ['2026-000001', null],
  ])('%j is read as %j', (text, read) => {
    expect(readReceiptNumber(text)).toEqual(read);
  });
});
