import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { refundCauses, type RefundCause, refundPolicy } from '../refund-policy.ts';
import { proposeLines, refundShare, type BoughtLine } from './refund-proposal.ts';

const paidAt = new Date('2026-11-23T10:00:00Z');
const startsAt = new Date('2027-01-11T21:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60;
const after = (minutes: number) => new Date(paidAt.getTime() + minutes * MINUTE);

const share = (
  code: string,
  cause: RefundCause,
  {
    minutes = 0,
    pending = true,
    missed = cause === 'missed_promise',
  }: { minutes?: number; pending?: boolean; missed?: boolean } = {},
) =>
  refundShare(refundPolicy, { cause, paidAt, askedAt: after(minutes) }, code, {
    pending,
    startsAt,
    missed,
  });

describe('a cancelled visa application', () => {
  test.each([
    [0, true, 100, 'within_first_hours'],
    [60, true, 100, 'within_first_hours'],
    [60, false, 100, 'within_first_hours'],
    [61, true, 80, 'still_pending'],
    [DAY, true, 80, 'still_pending'],
    [DAY + 1, true, 0, 'too_late'],
    [61, false, 0, 'too_late'],
    [31 * DAY, true, 0, 'asked_too_late'],
  ])('after %i minutes, pending: %s, returns %i %% of processing: %s', (...row) => {
    const [minutes, pending, percent, reason] = row;
    const asked = { minutes, pending };
    expect(share('processing_fee', 'cancelled', asked)).toEqual({ percent, reason });
  });

  test('keeps the e-visa fee, also within the first hour', () => {
    expect(share('evisa_fee', 'cancelled')).toEqual({ percent: 0, reason: 'fee_kept' });
  });

  test('whose promise was missed returns all of processing, however late, and nothing of the fee', () => {
    const late = { minutes: 40 * DAY, pending: false, missed: true };
    expect(share('processing_fee', 'cancelled', late)).toEqual({
      percent: 100,
      reason: 'promise_missed',
    });
    expect(share('evisa_fee', 'cancelled', late).percent).toBe(0);
  });
});

describe('a cancelled insurance', () => {
  const hoursBefore = (hours: number) =>
    refundShare(
      refundPolicy,
      { cause: 'cancelled', paidAt, askedAt: new Date(startsAt.getTime() - hours * 3_600_000) },
      'insurance_plan',
      { pending: false, startsAt, missed: false },
    ).percent;

  test.each([
    [49, 90],
    [48, 90],
    [47.9, 70],
    [24, 70],
    [23.9, 0],
    [0, 0],
    [-1, 0],
  ])('%d hours before the start returns %i %%', (hours, percent) => {
    expect(hoursBefore(hours)).toBe(percent);
  });

  test('sold long before its cover is refunded by the time until the cover alone', () => {
    expect(startsAt.getTime() - paidAt.getTime()).toBeGreaterThan(31 * DAY * MINUTE);
    expect(share('insurance_plan', 'cancelled', { minutes: 31 * DAY }).percent).toBe(90);
  });
});

describe('a cause', () => {
  const late = { minutes: 20 * DAY, pending: false };
  test.each([
    ['duplicate_payment', 100, 100, 100],
    ['overcharged', 100, 100, 100],
    ['not_submitted', 100, 100, 100],
    ['not_available', 100, 100, 100],
    ['missed_promise', 0, 100, 0],
    ['our_error', 0, 100, 0],
    ['insurance_rejected', 0, 0, 100],
    ['visa_refused', 0, 0, 100],
    ['illness', 0, 0, 100],
    ['disaster', 0, 0, 100],
  ] as const)(
    '%s returns %i %% of the e-visa fee, %i %% of processing, %i %% of the premium',
    (...row) => {
      const [cause, ...percents] = row;
      const codes = ['evisa_fee', 'processing_fee', 'insurance_plan'];
      expect(codes.map((code) => share(code, cause, late).percent)).toEqual(percents);
    },
  );

  test('a promise that is not missed gives nothing back', () => {
    const kept = { minutes: 10, missed: false };
    for (const code of ['evisa_fee', 'processing_fee', 'insurance_plan']) {
      expect(share(code, 'missed_promise', kept)).toEqual({ percent: 0, reason: 'not_missed' });
    }
  });

  test('of ours is never too late, one of the traveller’s own accord is', () => {
    const muchLater = { minutes: 4000 * DAY };
    expect(share('processing_fee', 'missed_promise', muchLater).percent).toBe(100);
    expect(share('insurance_plan', 'visa_refused', muchLater).percent).toBe(100);
    expect(share('insurance_plan', 'illness', muchLater).reason).toBe('asked_too_late');
  });

  test.each([
    [-1, 100],
    [refundPolicy.requestDays, 100],
    [refundPolicy.requestDays + 1, 0],
  ])('of the traveller’s own, %i days after the cover began, returns %i %%', (days, percent) => {
    const minutes = (startsAt.getTime() - paidAt.getTime()) / MINUTE + days * DAY;
    for (const cause of ['illness', 'disaster'] as const) {
      expect(share('insurance_plan', cause, { minutes }).percent).toBe(percent);
    }
  });
});

const line = fc
  .record({
    code: fc.constantFrom('evisa_fee', 'processing_fee', 'insurance_plan', 'something_else'),
    amount: fc.integer({ min: 1, max: 1_000_00 }),
    claimed: fc.double({ min: 0, max: 1, noNaN: true }),
    number: fc.constantFrom('one', 'two'),
  })
  .map(({ code, amount, claimed, number }, index = 0): BoughtLine => ({
    id: `${code}-${index}`,
    applicationNumber: number,
    code,
    amount: usd(amount),
    claimed: usd(Math.floor(amount * claimed)),
  }));

const refundCase = fc.record({
  lines: fc.array(line, { maxLength: 6 }),
  cause: fc.constantFrom(...refundCauses),
  minutes: fc.integer({ min: 0, max: 60 * DAY }),
  pending: fc.boolean(),
  startsIn: fc.integer({ min: -10 * DAY, max: 60 * DAY }),
});

type RefundCase = typeof refundCase extends fc.Arbitrary<infer T> ? T : never;

const proposed = ({ lines, cause, minutes, pending, startsIn }: RefundCase) =>
  proposeLines(
    refundPolicy,
    { cause, paidAt, askedAt: after(minutes) },
    lines,
    new Map([
      ['one', { pending, startsAt: after(startsIn), missed: true }],
      ['two', { pending, startsAt: after(startsIn), missed: true }],
    ]),
  ).map(({ amount }) => amount.minor);

describe('a proposal', () => {
  test('is never negative, and never more than is left of what was paid', () => {
    fc.assert(
      fc.property(refundCase, (given) => {
        const amounts = proposed(given);
        for (const [index, { amount, claimed }] of given.lines.entries()) {
          expect(amounts[index]).toBeGreaterThanOrEqual(0);
          expect(amounts[index]).toBeLessThanOrEqual(amount.minor - claimed.minor);
        }
      }),
    );
  });

  test('never grows with time, nor by being handed over meanwhile', () => {
    fc.assert(
      fc.property(refundCase, fc.nat({ max: 60 * DAY }), fc.boolean(), (given, more, pending) => {
        const later = {
          ...given,
          minutes: given.minutes + more,
          pending: given.pending && pending,
        };
        const [before, then] = [proposed(given), proposed(later)];
        for (const [index, amount] of then.entries()) {
          expect(amount).toBeLessThanOrEqual(before[index] ?? 0);
        }
      }),
    );
  });

  test('leaves the lines of other applications alone', () => {
    fc.assert(
      fc.property(refundCase, ({ lines, cause }) => {
        const only = new Map([['one', { pending: true, startsAt, missed: true }]]);
        const asked = { cause, paidAt, askedAt: paidAt };
        const touched = proposeLines(refundPolicy, asked, lines, only);
        expect(touched.every((one) => one.line.applicationNumber === 'one')).toBe(true);
      }),
    );
  });
});
