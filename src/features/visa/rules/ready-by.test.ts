import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { addDays, toPlainDate, UTC } from '~/base/dates/dates.ts';
import { nextOpening } from '~/base/dates/working-hours.ts';
import { speedsByPath, type PricePath, type ProcessingType } from './speeds.ts';
import {
  arrivalWindow,
  asFastForLess,
  littleGain,
  promisedMoment,
  speedFit,
  worthwhileSpeeds,
} from './ready-by.ts';
import {
  anyPath,
  at,
  day,
  friday,
  moments,
  night,
  paths,
  saturday,
  thursday,
} from '../testing/moments.ts';

describe('the promised moment', () => {
  test.each<[PricePath, ProcessingType, Date, Date, Date, Date]>([
    [
      'without_document',
      'standard',
      at('11-26 13:20'),
      at('11-30 11:30'),
      at('11-30 12:00'),
      at('11-26 12:00'),
    ],
    [
      'without_document',
      'fast',
      at('11-20 13:20'),
      at('11-24 11:30'),
      at('11-24 12:00'),
      at('11-20 12:00'),
    ],
    [
      'without_document',
      'express',
      at('11-19 14:20'),
      at('11-23 12:30'),
      at('11-23 13:00'),
      at('11-19 13:00'),
    ],
    [
      'without_document',
      'urgent',
      at('11-19 12:20'),
      at('11-23 10:30'),
      at('11-23 11:00'),
      at('11-19 11:00'),
    ],
    [
      'with_document',
      'slow',
      at('11-30 10:20'),
      at('12-01 17:30'),
      at('12-02 09:00'),
      at('11-30 09:00'),
    ],
    [
      'with_document',
      'standard',
      at('11-25 10:20'),
      at('11-26 17:30'),
      at('11-27 09:00'),
      at('11-25 09:00'),
    ],
    [
      'with_document',
      'fast',
      at('11-23 10:20'),
      at('11-24 17:30'),
      at('11-25 09:00'),
      at('11-23 09:00'),
    ],
    [
      'with_document',
      'urgent_24',
      at('11-20 10:20'),
      at('11-23 17:30'),
      at('11-24 09:00'),
      at('11-20 09:00'),
    ],
    [
      'with_document',
      'urgent_12',
      at('11-20 09:00'),
      at('11-23 09:00'),
      at('11-24 09:00'),
      at('11-20 09:00'),
    ],
    [
      'with_document',
      'urgent_4',
      at('11-19 14:20'),
      at('11-23 09:00'),
      at('11-23 13:00'),
      at('11-19 13:00'),
    ],
    [
      'with_document',
      'urgent_1',
      at('11-19 11:20'),
      at('11-23 09:00'),
      at('11-23 10:00'),
      at('11-19 10:00'),
    ],
  ])(
    '%s, %s: paid on a Thursday, late on Friday, on Saturday, by night',
    (path, type, fromThursday, fromFriday, fromSaturday, fromNight) => {
      expect(promisedMoment(path, type, thursday, firstOffice)).toEqual(fromThursday);
      expect(promisedMoment(path, type, friday, firstOffice)).toEqual(fromFriday);
      expect(promisedMoment(path, type, saturday, firstOffice)).toEqual(fromSaturday);
      expect(promisedMoment(path, type, night, firstOffice)).toEqual(fromNight);
    },
  );

  it('may be closing time itself', () => {
    expect(promisedMoment('without_document', 'express', at('11-24 14:00'), firstOffice)).toEqual(
      at('11-24 18:00'),
    );
    expect(promisedMoment('with_document', 'urgent_4', at('11-24 14:00'), firstOffice)).toEqual(
      at('11-24 18:00'),
    );
  });

  it('has no seconds, as it is shown without any', () => {
    const paid = new Date('2026-11-19T10:20:59.999Z');
    expect(promisedMoment('without_document', 'urgent', paid, firstOffice)).toEqual(
      at('11-19 12:20'),
    );
  });

  it('is never later for a dearer speed', () => {
    fc.assert(
      fc.property(anyPath, moments, (path, paidAt) => {
        const ready = speedsByPath(path).map(({ processingType }) =>
          promisedMoment(path, processingType, paidAt, firstOffice).getTime(),
        );
        expect(ready).toEqual(ready.toSorted((a, b) => b - a));
      }),
      { numRuns: 2000 },
    );
  });

  it('is never later for a dearer speed, at any quarter of an hour of a week', () => {
    for (let quarter = 0; quarter < 7 * 96; quarter += 1) {
      const paidAt = new Date(at('11-16 00:00').getTime() + quarter * 900_000);
      for (const path of paths) {
        const ready = speedsByPath(path).map(({ processingType }) =>
          promisedMoment(path, processingType, paidAt, firstOffice).getTime(),
        );
        expect(ready).toEqual(ready.toSorted((a, b) => b - a));
      }
    }
  });

  it('is never earlier for who pays later, and lies in working hours', () => {
    fc.assert(
      fc.property(anyPath, moments, fc.nat(72 * 60), (path, paidAt, minutes) => {
        const later = new Date(paidAt.getTime() + minutes * 60_000);
        for (const { processingType } of speedsByPath(path)) {
          const ready = promisedMoment(path, processingType, paidAt, firstOffice);
          expect(ready.getTime()).toBeLessThanOrEqual(
            promisedMoment(path, processingType, later, firstOffice).getTime(),
          );
          expect(ready > paidAt).toBe(true);
          const justBefore = new Date(ready.getTime() - 1);
          expect(
            [ready, justBefore].some((moment) => nextOpening(moment, firstOffice) === moment),
          ).toBe(true);
        }
      }),
    );
  });
});

describe('a dearer speed', () => {
  it('of 12 hours promises at a weekend what 24 hours promise for less', () => {
    expect(asFastForLess('with_document', 'urgent_12', saturday, firstOffice)).toBe('urgent_24');
    expect(asFastForLess('with_document', 'urgent_24', saturday, firstOffice)).toBeNull();
    expect(asFastForLess('with_document', 'urgent_12', thursday, firstOffice)).toBeNull();
    expect(speedFit('with_document', 'urgent_12', day('2026-11-28'), saturday, firstOffice)).toBe(
      'no_faster',
    );
    expect(speedFit('with_document', 'urgent_12', day('2026-11-22'), saturday, firstOffice)).toBe(
      'too_slow',
    );
  });

  it('can be chosen only where it is ready before every cheaper one, and what cannot has a cheaper equal', () => {
    fc.assert(
      fc.property(anyPath, moments, (path, now) => {
        const ready = (processingType: string) =>
          promisedMoment(path, processingType, now, firstOffice).getTime();
        const sold = speedsByPath(path);
        const worth = worthwhileSpeeds(path, now, firstOffice);
        for (const [index, speed] of sold.entries()) {
          const cheaper = sold.slice(0, index).map((one) => ready(one.processingType));
          const isFaster = cheaper.every((moment) => ready(speed.processingType) < moment);
          expect(worth.includes(speed)).toBe(isFaster);
          if (isFaster) continue;
          const equal = asFastForLess(path, speed.processingType, now, firstOffice);
          expect(worth.map((one) => one.processingType)).toContain(equal);
          expect(ready(equal ?? '')).toBe(ready(speed.processingType));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('that gains little says how little, and over which', () => {
    const friday = new Date('2026-11-27T09:34:00Z');
    expect(littleGain('with_document', 'urgent_12', friday, firstOffice)).toEqual({
      minutes: 34,
      than: 'urgent_24',
    });
    fc.assert(
      fc.property(anyPath, moments, (path, now) => {
        for (const { processingType } of speedsByPath(path)) {
          const gain = littleGain(path, processingType, now, firstOffice);
          if (gain === null) continue;
          const than = promisedMoment(path, gain.than, now, firstOffice);
          const own = promisedMoment(path, processingType, now, firstOffice);
          expect(than.getTime() - own.getTime()).toBe(gain.minutes * 60_000);
          expect(gain.minutes).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('that is not sold leaves no arrival without a speed', () => {
    fc.assert(
      fc.property(anyPath, moments, fc.integer({ min: 0, max: 120 }), (path, now, days) => {
        const arrival = addDays(arrivalWindow(path, 'urgent_1', now, firstOffice).earliest, days);
        const fits = speedsByPath(path).map((one) =>
          speedFit(path, one.processingType, arrival, now, firstOffice),
        );
        if (fits.includes('no_faster')) expect(fits).toContain('in_time');
      }),
    );
  });
});

describe('a closure of the office', () => {
  it('makes no promise earlier, moves no window back, and leaves a dearer speed as fast as a cheaper one', () => {
    const days = fc.record({ after: fc.integer({ min: -3, max: 20 }), days: fc.nat(30) });
    fc.assert(
      fc.property(anyPath, moments, days, (path, paidAt, closed) => {
        const first = addDays(toPlainDate(paidAt, UTC), closed.after);
        const office = {
          ...firstOffice,
          closures: [{ from: first, to: addDays(first, closed.days) }],
        };
        const ready = speedsByPath(path).map(({ processingType }) => {
          const promised = promisedMoment(path, processingType, paidAt, office);
          expect(promised.getTime()).toBeGreaterThanOrEqual(
            promisedMoment(path, processingType, paidAt, firstOffice).getTime(),
          );
          expect(
            arrivalWindow(path, processingType, paidAt, office).earliest >=
              arrivalWindow(path, processingType, paidAt, firstOffice).earliest,
          ).toBe(true);
          return promised.getTime();
        });
        expect(ready).toEqual(ready.toSorted((a, b) => b - a));
      }),
      { numRuns: 1000 },
    );
  });
});
