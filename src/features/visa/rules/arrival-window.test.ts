import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { addDays } from '~/base/dates/dates.ts';
import { speedsByPath, type PricePath, type ProcessingType } from './speeds.ts';
import {
  arrivalWindow,
  asFastForLess,
  arrivalYears,
  defaultSpeed,
  promisedMoment,
  speedFit,
  speedsInTime,
} from './ready-by.ts';
import { anyPath, day, moments, saturday, thursday } from '../testing/moments.ts';

describe('the days of arrival', () => {
  it('lie in this year and the ten after it, as Türkiye counts', () => {
    expect(arrivalYears(thursday)).toEqual([
      2026, 2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034, 2035, 2036,
    ]);
    expect(arrivalYears(new Date('2026-12-31T20:59:00Z'))[0]).toBe(2026);
    expect(arrivalYears(new Date('2026-12-31T21:00:00Z'))[0]).toBe(2027);
  });

  test.each<[PricePath, ProcessingType, Date, string, string]>([
    ['with_document', 'slow', thursday, '2026-12-01', '2027-02-28'],
    ['with_document', 'standard', thursday, '2026-11-26', '2027-02-25'],
    ['with_document', 'urgent_1', thursday, '2026-11-20', '2027-02-19'],
    ['without_document', 'standard', thursday, '2026-11-27', '2036-12-31'],
    ['without_document', 'urgent', saturday, '2026-11-24', '2036-12-31'],
  ])('%s, %s, paid %s: from %s to %s', (path, type, now, earliest, latest) => {
    expect(arrivalWindow(path, type, now, firstOffice)).toEqual({ earliest, latest });
  });

  it('begin the day after the promise: nobody arrives on the day it is due', () => {
    expect(speedFit('without_document', 'urgent', day('2026-11-19'), thursday, firstOffice)).toBe(
      'too_slow',
    );
    expect(speedFit('without_document', 'urgent', day('2026-11-20'), thursday, firstOffice)).toBe(
      'in_time',
    );
  });

  it('end three months after it on the document path', () => {
    expect(speedFit('with_document', 'urgent_1', day('2027-02-19'), thursday, firstOffice)).toBe(
      'in_time',
    );
    expect(speedFit('with_document', 'urgent_1', day('2027-02-20'), thursday, firstOffice)).toBe(
      'too_far',
    );
    expect(speedFit('without_document', 'urgent', day('2027-02-20'), thursday, firstOffice)).toBe(
      'in_time',
    );
  });
});

describe('the speeds for an arrival', () => {
  const names = (path: PricePath, arrival: string, now: Date) =>
    speedsInTime(path, day(arrival), now, firstOffice).map(({ processingType }) => processingType);

  test.each<[PricePath, string, ProcessingType[]]>([
    ['without_document', '2026-12-12', ['standard', 'fast', 'express', 'urgent']],
    ['without_document', '2026-11-26', ['fast', 'express', 'urgent']],
    ['without_document', '2026-11-20', ['express', 'urgent']],
    ['without_document', '2026-11-19', []],
    ['without_document', '2026-01-01', []],
    ['without_document', '2037-01-01', []],
    [
      'with_document',
      '2026-12-12',
      ['slow', 'standard', 'fast', 'urgent_24', 'urgent_12', 'urgent_4', 'urgent_1'],
    ],
    [
      'with_document',
      '2026-11-28',
      ['standard', 'fast', 'urgent_24', 'urgent_12', 'urgent_4', 'urgent_1'],
    ],
    ['with_document', '2026-11-21', ['urgent_24', 'urgent_12', 'urgent_4', 'urgent_1']],
    ['with_document', '2026-11-20', ['urgent_4', 'urgent_1']],
    ['with_document', '2027-02-24', ['slow', 'standard']],
    ['with_document', '2027-02-28', ['slow']],
    ['with_document', '2027-03-01', []],
  ])('%s, arrival %s: %j', (path, arrival, speeds) => {
    expect(names(path, arrival, thursday)).toEqual(speeds);
  });

  it('have the cheapest in time as default, or the cheapest of all while no arrival is known', () => {
    expect(defaultSpeed('without_document', null, thursday, firstOffice)).toBe('standard');
    expect(defaultSpeed('with_document', null, thursday, firstOffice)).toBe('slow');
    expect(defaultSpeed('with_document', day('2026-11-28'), thursday, firstOffice)).toBe(
      'standard',
    );
    expect(defaultSpeed('without_document', day('2026-11-20'), thursday, firstOffice)).toBe(
      'express',
    );
    expect(defaultSpeed('without_document', day('2026-11-19'), thursday, firstOffice)).toBeNull();
  });

  it('are ready before the arrival day begins in Türkiye, and all the dearer ones too', () => {
    fc.assert(
      fc.property(anyPath, moments, fc.integer({ min: 0, max: 20 }), (path, now, days) => {
        const { earliest } = arrivalWindow(path, 'urgent', now, firstOffice);
        const arrival = addDays(earliest, days);
        const midnightInTurkiye = Date.parse(`${arrival}T00:00:00+03:00`);
        for (const { processingType } of speedsByPath(path)) {
          const ready = promisedMoment(path, processingType, now, firstOffice).getTime();
          const fit = speedFit(path, processingType, arrival, now, firstOffice);
          const inTime = asFastForLess(path, processingType, now, firstOffice)
            ? 'no_faster'
            : 'in_time';
          expect(fit).toBe(ready < midnightInTurkiye ? inTime : 'too_slow');
        }
      }),
    );
  });
});
