import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { readRows, writeRows } from './desk.tsx';

const moment = fc.option(fc.date({ noInvalidDate: true }), { nil: null });
const row = fc.record({
  id: fc.uuid(),
  number: fc.string(),
  kind: fc.constantFrom('visa' as const, 'insurance' as const),
  firstName: fc.string({ unit: 'grapheme' }),
  lastName: fc.string({ unit: 'grapheme' }),
  countryCode: fc.string(),
  service: fc.constantFrom('standard' as const, '1-year' as const),
  withDocument: fc.boolean(),
  total: fc.nat().map(usd),
  status: fc.constantFrom('pending' as const, 'approved' as const),
  actionRequired: fc.boolean(),
  pausedAt: moment,
  paymentStatus: fc.constantFrom('pending' as const, 'completed' as const, 'failed' as const),
  promisedAt: moment,
  decidedAt: moment,
  corrected: fc.boolean(),
  undelivered: fc.boolean(),
  unanswered: fc.boolean(),
  mailSentAt: moment,
  holder: fc.option(fc.string(), { nil: null }),
  notes: fc.nat(),
  duplicate: fc.boolean(),
});

test('the rows of a list come out of their text as they went in', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      expect(readRows(writeRows(rows))).toEqual(rows);
    }),
  );
});
