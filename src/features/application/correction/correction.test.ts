import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { addDays, dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { lastOpenMinute, nextOpening } from '~/base/dates/working-hours.ts';
import { CORRECTION_DAYS, DAY_MS, deadlineOf } from './correction.ts';

const MINUTE = 60_000;

/** The promised moment after an answer, as `resumeClock` moves it. */
const movedBy = (promisedAt: Date, askedAt: Date, answeredAt: Date) =>
  nextOpening(
    new Date(promisedAt.getTime() + answeredAt.getTime() - askedAt.getTime()),
    firstOffice,
  );

test.each([
  // Friday. A day of work is left: the answer is due a day before the last opening minute before the arrival.
  ['2026-11-27T09:00Z', '2026-11-28T09:00Z', '2026-12-20', '2026-12-17T17:59Z', true],
  // The arrival is far: four weeks.
  ['2026-11-27T09:00Z', '2026-11-30T09:00Z', '2027-03-01', '2026-12-25T09:00Z', true],
  // Nothing is promised: until the office closes before the arrival.
  ['2026-11-27T09:00Z', null, '2026-12-08', '2026-12-07T17:59Z', true],
  // The promise is for the last minutes before the arrival: until the arrival, which may not be made.
  ['2026-11-27T09:00Z', '2026-12-07T17:30Z', '2026-12-08', '2026-12-07T21:00Z', false],
  // The day of arrival has begun.
  ['2026-12-08T09:00Z', '2026-12-09T09:00Z', '2026-12-08', '2026-12-09T09:00Z', false],
])('asked %s, promised %s, arriving %s: by %s', (...row) => {
  const [askedAt, promisedAt, startsOn, answerBy, keepsStart] = row;
  const asked = {
    askedAt: new Date(askedAt),
    promisedAt: promisedAt === null ? null : new Date(promisedAt),
    startsOn,
  };
  expect(deadlineOf(asked, firstOffice)).toEqual({ answerBy: new Date(answerBy), keepsStart });
});

const asking = fc
  .record({
    asked: fc.date({
      min: new Date('2026-01-01'),
      max: new Date('2028-01-01'),
      noInvalidDate: true,
    }),
    work: fc.integer({ min: 0, max: 30 * 24 * 60 }),
    days: fc.integer({ min: 0, max: 120 }),
    late: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ asked, work, days, late }) => {
    const askedAt = new Date(Math.floor(asked.getTime() / MINUTE) * MINUTE);
    const promisedAt = nextOpening(new Date(askedAt.getTime() + work * MINUTE), firstOffice);
    const startsOn = addDays(dateOf(askedAt, TURKIYE), days);
    return { askedAt, promisedAt, startsOn, late };
  });

describe('the deadline of a correction', () => {
  it('leaves enough time before the trip for every answer until then, where it says so', () => {
    fc.assert(
      fc.property(asking, ({ late, ...one }) => {
        const { answerBy, keepsStart } = deadlineOf(one, firstOffice);
        const answered = new Date(
          one.askedAt.getTime() + (answerBy.getTime() - one.askedAt.getTime()) * late,
        );
        const moved = movedBy(one.promisedAt, one.askedAt, answered);
        if (keepsStart) expect(dateOf(moved, TURKIYE) < one.startsOn).toBe(true);
      }),
    );
  });

  it('is the latest one that does, within four weeks', () => {
    fc.assert(
      fc.property(asking, ({ late: _, ...one }) => {
        const { answerBy, keepsStart } = deadlineOf(one, firstOffice);
        const limit = one.askedAt.getTime() + CORRECTION_DAYS * DAY_MS;
        expect(answerBy.getTime()).toBeGreaterThan(one.askedAt.getTime());
        expect(answerBy.getTime()).toBeLessThanOrEqual(limit);
        if (!keepsStart || answerBy.getTime() === limit) return;
        const moved = movedBy(one.promisedAt, one.askedAt, new Date(answerBy.getTime() + MINUTE));
        expect(dateOf(moved, TURKIYE) < one.startsOn).toBe(false);
      }),
    );
  });

  it('is never after the day of arrival has begun, unless it had when it was asked', () => {
    fc.assert(
      fc.property(asking, ({ late: _, ...one }) => {
        const start = startOfDay(one.startsOn, TURKIYE);
        fc.pre(start.getTime() >= one.askedAt.getTime() + 60 * MINUTE);
        expect(deadlineOf(one, firstOffice).answerBy <= start).toBe(true);
      }),
    );
  });
});

test('the last open minute before a moment is within working hours', () => {
  expect(lastOpenMinute(new Date('2026-11-30T09:00Z'), firstOffice)).toEqual(
    new Date('2026-11-27T17:59Z'),
  );
  expect(lastOpenMinute(new Date('2026-11-30T12:00Z'), firstOffice)).toEqual(
    new Date('2026-11-30T11:59Z'),
  );
});
