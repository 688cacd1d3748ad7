import { expect, test } from 'vitest';
import { latinDigits } from './digits.ts';

test.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['TRV ٧K2M', 'TRV 7K2M'],
  ['1988', '1988'],
  ['', ''],
])('%j reads %j', (typed, latin) => {
  expect(latinDigits(typed)).toBe(latin);
});
