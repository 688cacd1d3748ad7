import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { refundPolicy } from '~/features/order/refund-policy.ts';
import type { BoughtLine } from '~/features/order/refunds/refund-proposal.ts';
import { quoteCancellation, uncancellable, type CancellationFacts } from './cancellation.ts';

const HOUR = 3_600_000;
const paidAt = new Date('2026-11-23T10:00:00Z');
const startsAt = new Date('2026-12-11T21:00:00Z');
const after = (hours: number, ms = 0) => new Date(paidAt.getTime() + hours * HOUR + ms);

const bought = (code: string, minor: number, number: string): BoughtLine => ({
  id: `${number}-${code}`,
  applicationNumber: number,
  code,
  amount: usd(minor),
  claimed: usd(0),
});
const visaLines = [bought('evisa_fee', 69_00, 'visa'), bought('processing_fee', 175_00, 'visa')];
const visa = { pending: true, startsAt, promisedAt: null };

const facts = (over: Partial<CancellationFacts> = {}): CancellationFacts => ({
  policy: refundPolicy,
  paidAt,
  lines: visaLines,
  applications: new Map([['visa', visa]]),
  ...over,
});
const insured = facts({
  lines: [bought('insurance_plan', 189_00, 'cover')],
  applications: new Map([['cover', { ...visa, pending: false }]]),
  // The days of asking end after the start of the cover.
});

describe('an e-visa', () => {
  test.each([
    ['at the payment', after(0), 175_00, after(1)],
    ['in the last millisecond of the first hour', after(1), 175_00, after(1)],
    ['a millisecond later', after(1, 1), 140_00, after(24)],
    ['in the last millisecond of the first day', after(24), 140_00, after(24)],
    ['a millisecond later', after(24, 1), 0, null],
  ])('%s', (_, at, minor, holdsUntil) => {
    const quote = quoteCancellation(facts(), at);
    expect([quote.total.minor, quote.holdsUntil]).toEqual([minor, holdsUntil]);
  });

  test('that was sent to the authorities pays nothing back after the first hour', () => {
    const sent = facts({ applications: new Map([['visa', { ...visa, pending: false }]]) });
    expect(quoteCancellation(sent, after(1)).total).toEqual(usd(175_00));
    expect(quoteCancellation(sent, after(1, 1))).toMatchObject({ total: usd(0), holdsUntil: null });
  });

  test('pays all of processing back once its promise is missed, and never the e-visa fee', () => {
    const promisedAt = after(30);
    const promised = facts({ applications: new Map([['visa', { ...visa, promisedAt }]]) });
    expect(quoteCancellation(promised, after(30))).toMatchObject({
      total: usd(0),
      holdsUntil: promisedAt,
    });
    expect(quoteCancellation(promised, after(30, 1))).toMatchObject({
      total: usd(175_00),
      holdsUntil: null,
    });
    expect(quoteCancellation(promised, after(40 * 24)).total).toEqual(usd(175_00));
  });
});

test.each([
  [48, 0, 170_10, 48],
  [48, 1, 132_30, 24],
  [24, 0, 132_30, 24],
  [24, 1, 0, null],
])('cover %i hours and %i ms late pays back %i cents', (hours, late, minor, until) => {
  const at = new Date(startsAt.getTime() - hours * HOUR + late);
  const quote = quoteCancellation(insured, at);
  const holdsUntil = until === null ? null : new Date(startsAt.getTime() - until * HOUR);
  expect([quote.total.minor, quote.holdsUntil]).toEqual([minor, holdsUntil]);
});

const line = (number: string) =>
  fc
    .record({
      code: fc.constantFrom('evisa_fee', 'processing_fee', 'insurance_plan'),
      minor: fc.integer({ min: 1, max: 1_000_00 }),
      claimed: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ code, minor, claimed }) => ({
      ...bought(code, minor, number),
      claimed: usd(Math.floor(minor * claimed)),
    }));

const anyFacts = fc
  .record({
    lines: fc.tuple(line('one'), line('one'), line('two'), line('three')),
    pending: fc.boolean(),
    startsIn: fc.integer({ min: -50, max: 900 }),
    promisedIn: fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }),
  })
  .map(({ lines, pending, startsIn, promisedIn }): CancellationFacts => {
    const then = {
      pending,
      startsAt: after(startsIn),
      promisedAt: promisedIn === null ? null : after(promisedIn),
    };
    return facts({
      lines: lines.map((one, index) => ({ ...one, id: `line-${index}` })),
      applications: new Map([
        ['one', then],
        ['two', { ...then, pending: true }],
      ]),
    });
  });
const moments = fc.integer({ min: 0, max: 40 * 24 * HOUR }).map((ms) => after(0, ms));

describe('any cancellation', () => {
  test('pays back whole cents that sum up, of each line never more than is left', () => {
    fc.assert(
      fc.property(anyFacts, moments, (given, at) => {
        const { lines, total } = quoteCancellation(given, at);
        let sum = 0;
        for (const { line: of, amount } of lines) {
          expect(Number.isSafeInteger(amount.minor)).toBe(true);
          expect(amount.minor).toBeGreaterThanOrEqual(0);
          expect(amount.minor).toBeLessThanOrEqual(of.amount.minor - of.claimed.minor);
          expect(of.applicationNumber).not.toBe('three');
          sum += amount.minor;
        }
        expect(total.minor).toBe(sum);
      }),
    );
  });

  test('pays back the same until the moment it names, and something else after it', () => {
    fc.assert(
      fc.property(
        anyFacts,
        moments,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (given, at, part) => {
          const now = quoteCancellation(given, at);
          const amounts = (when: Date) =>
            quoteCancellation(given, when).lines.map(({ amount }) => amount.minor);
          const end = now.holdsUntil ?? after(60 * 24);
          const between = new Date(
            at.getTime() + Math.floor((end.getTime() - at.getTime()) * part),
          );
          expect(amounts(between)).toEqual(amounts(at));
          if (now.holdsUntil) {
            expect(amounts(new Date(end.getTime() + 1))).not.toEqual(amounts(at));
          }
        },
      ),
    );
  });
});

test.each([
  ['visa', 'pending', null],
  ['visa', 'processing', null],
  ['visa', 'approved', 'decided'],
  ['visa', 'rejected', 'decided'],
  ['insurance', 'pending', null],
  ['insurance', 'approved', null],
  ['insurance', 'rejected', 'decided'],
] as const)('%s that is %s: %s', (kind, status, why) => {
  const given = { kind, status, startsAt, cancelledAt: null, isRefunded: false };
  expect(uncancellable(given, paidAt)).toBe(why);
  expect(uncancellable({ ...given, cancelledAt: paidAt }, paidAt)).toBe('cancelled');
  expect(uncancellable({ ...given, isRefunded: true }, paidAt)).toBe(why ?? 'refunding');
  const begun = kind === 'insurance' ? 'started' : null;
  expect(uncancellable(given, startsAt)).toBe(why ?? begun);
});
