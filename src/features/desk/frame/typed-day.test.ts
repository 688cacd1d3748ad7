import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlainDate, formatDateShort, UTC } from '~/base/dates/dates.ts';
import { languages } from '~/base/languages.ts';
import { readDay, readMinute, writeMinute } from './days.tsx';

const minutes = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2099-12-31T23:59:00Z'),
    noInvalidDate: true,
  })
  .map((at) => new Date(at.getTime() - (at.getTime() % 60_000)));

describe('a day that staff type', () => {
  test.each([
    '22 Nov 2026',
    '22.11.2026',
    '22/11/2026',
    '22-11-2026',
    '2026-11-22',
    ' 22. Kasım 2026 ',
    '٢٢/١١/٢٠٢٦',
  ])('is read of %j', (typed) => expect(readDay(typed)).toBe('2026-11-22'));

  test.each([
    '',
    '11/22/2026',
    '31.2.2026',
    '22.11.26',
    '22.11.2026 5',
    'yesterday',
    '1000-01-01',
    '9999-12-31',
  ])('is not read of %j', (typed) => expect(readDay(typed)).toBeNull());

  test('is read as every language writes it', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(...languages), (at, { code }) => {
        const day = toPlainDate(at, UTC);
        expect(readDay(formatDateShort(day, code))).toBe(day);
      }),
    );
  });
});

describe('a minute that staff type', () => {
  test.each(['22 Nov 2026, 14:30', '22.11.2026 14:30', '2026-11-22T14:30', '22 Kas 2026 14:30'])(
    'is read of %j',
    (typed) => expect(readMinute(typed)).toEqual(new Date('2026-11-22T14:30:00Z')),
  );

  test.each([
    '',
    '22 Nov 2026',
    '22 Nov 2026, 24:00',
    '22 Nov 2026, 14:60',
    '14:30',
    '11/22/2026 14:30',
  ])('is not read of %j', (typed) => expect(readMinute(typed)).toBeNull());

  test('is read as it is written', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(...languages), (at, { code }) => {
        expect(readMinute(writeMinute(at, code))).toEqual(at);
      }),
    );
  });
});
