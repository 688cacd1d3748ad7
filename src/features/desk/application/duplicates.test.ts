import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairText, findDuplicateReasons, type TripFacts } from './duplicates.ts';

const trip = (given: Partial<TripFacts> = {}): TripFacts => ({
  id: 'a',
  kind: 'visa',
  number: 'TRV0',
  name: 'Naidoo, Thabo',
  person: 'naidoo thabo 1984-05-02',
  status: 'pending',
  paid: true,
  orderNumber: 'TRV0',
  email: 'thabo@example.org',
  from: '2026-12-01',
  until: '2026-12-30',
  passport: 'p1',
  earlier: [],
  ...given,
});
const other = (given: Partial<TripFacts> = {}) =>
  trip({
    id: 'b',
    orderNumber: 'TRV1',
    email: 'other@example.org',
    person: 'naidoo sipho 1986-01-31',
    ...given,
  });
const samePerson = trip().person;

describe('two applications may be the same trip by', () => {
  test.each([
    ['the same passport and days', {}, ['passport']],
    ['the last day being the first', { from: '2026-12-30', until: '2027-01-28' }, ['passport']],
    ['a day inside a longer stay', { from: '2026-12-05', until: '2026-12-05' }, ['passport']],
    ['not the day after', { from: '2026-12-31', until: '2027-01-29' }, []],
    ['not another passport', { passport: 'p2' }, []],
    [
      'a passport named before a correction',
      { passport: 'p2', earlier: ['p1'] },
      ['passport_before'],
    ],
    [
      'not an earlier passport on other days',
      { passport: 'p2', earlier: ['p1'], from: '2027-03-01', until: '2027-03-02' },
      [],
    ],
    ['the same e-mail and first day', { passport: 'p2', email: 'thabo@example.org' }, ['email']],
    [
      'not the same e-mail on another day',
      { passport: 'p2', email: 'thabo@example.org', from: '2026-12-02' },
      [],
    ],
    [
      'not the e-mail inside one order',
      { passport: 'p2', email: 'thabo@example.org', orderNumber: 'TRV0' },
      [],
    ],
    ['the passport inside one order', { orderNumber: 'TRV0' }, ['passport']],
    [
      'name and birth date inside one order',
      { passport: 'p2', orderNumber: 'TRV0', person: samePerson },
      ['person'],
    ],
    [
      'name and birth date inside one order, whatever the e-mail and days',
      {
        passport: 'p2',
        orderNumber: 'TRV0',
        person: samePerson,
        email: 'thabo@example.org',
        from: '2027-03-01',
        until: '2027-03-02',
      },
      ['person'],
    ],
    [
      'not name and birth date in two orders: the passport was renewed, or they are two people',
      { passport: 'p2', person: samePerson },
      [],
    ],
    ['both at once', { email: 'thabo@example.org' }, ['passport', 'email']],
    [
      'not a visa and its insurance',
      { kind: 'insurance' as const, email: 'thabo@example.org' },
      [],
    ],
  ])('%s', (_, given, reasons) => {
    expect(findDuplicateReasons(trip(), other(given))).toEqual(reasons);
  });
});

const day = fc.integer({ min: 10, max: 28 }).map((n) => `2026-12-${n}`);
const anyTrip = fc.record({
  email: fc.constantFrom('x@e.org', 'y@e.org'),
  from: day,
  until: day,
  passport: fc.constantFrom('p1', 'p2'),
  earlier: fc.subarray(['p1', 'p2']),
  orderNumber: fc.constantFrom('o1', 'o2'),
  kind: fc.constantFrom('visa' as const, 'insurance' as const),
  person: fc.constantFrom('x', 'y'),
});

test('what one is to the other, the other is to it', () => {
  fc.assert(
    fc.property(anyTrip, anyTrip, (a, b) => {
      const [one, two] = [trip(a), trip({ ...b, id: 'b' })];
      expect(findDuplicateReasons(one, two)).toEqual(findDuplicateReasons(two, one));
      expect(pairText(one, two)).toBe(pairText(two, one));
    }),
  );
});

test.each([
  ['passport', { passport: 'p9' }],
  ['first day', { from: '2026-12-02' }],
  ['last day', { until: '2026-12-29' }],
  ['e-mail', { email: 'new@example.org' }],
  ['name or birth date', { person: 'naidoo thabo 1984-05-03' }],
  ['earlier passports', { earlier: ['p0'] }],
])('a pair is another pair once the %s of one changes', (_, change) => {
  expect(pairText(trip(), other(change))).not.toBe(pairText(trip(), other()));
});

test.each([
  ['status', { status: 'approved' as const }],
  ['payment', { paid: false }],
])('a pair stays one pair when the %s changes', (_, change) => {
  expect(pairText(trip(), other(change))).toBe(pairText(trip(), other()));
});
