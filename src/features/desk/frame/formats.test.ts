import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { timeLeft, formatLanguage, formatSpan, serviceName, splitDuration } from './formats.ts';

test.each([
  ['ar', 'en', 'Arabic'],
  ['en', 'tr', 'İngilizce'],
  ['', 'en', ''],
  ['no language', 'en', 'no language'],
] as const)('the language %o is called so in %s', (code, reader, name) => {
  expect(formatLanguage(code, reader)).toBe(name);
});

test.each([
  [0, '0 minutes'],
  [10, '10 seconds'],
  [60, '1 minute'],
  [6960, '1 hour, 56 minutes'],
  [90_060, '1 day, 1 hour'],
])('%d seconds are written by their two largest units', (seconds, text) => {
  expect(formatSpan(seconds, 'en')).toBe(text);
});

const now = Date.parse('2026-11-23T10:00:00Z');
const inMinutes = (minutes: number) => new Date(now + minutes * 60_000);
const due = (minutes: number) => timeLeft({ promisedAt: inMinutes(minutes), decidedAt: null }, now);

describe('timeLeft', () => {
  test.each([
    [-25, 'late', 25],
    [-0.5, 'late', 0],
    [0, 'now', 0],
    [38, 'now', 38],
    [59.9, 'now', 59],
    [60, 'soon', 60],
    [239, 'soon', 239],
    [240, 'later', 240],
    [9000, 'later', 9000],
  ])('%s minutes away is %s', (minutes, urgency, shown) => {
    expect(due(minutes)).toEqual({ urgency, minutes: shown });
  });

  test('a decided application and an unpaid one are not due', () => {
    expect(timeLeft({ promisedAt: inMinutes(5), decidedAt: new Date(now) }, now).urgency).toBe(
      'none',
    );
    expect(timeLeft({ promisedAt: null, decidedAt: null }, now).urgency).toBe('none');
  });

  test('time only makes it more urgent', () => {
    const order = ['later', 'soon', 'now', 'late'];
    fc.assert(
      fc.property(fc.integer({ min: -9999, max: 9999 }), fc.nat(9999), (minutes, passed) => {
        const before = order.indexOf(due(minutes).urgency);
        const after = order.indexOf(due(minutes - passed).urgency);
        expect(after).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

describe('splitDuration', () => {
  test.each([
    [0, { unit: 'clock', clock: '0:00' }],
    [38, { unit: 'clock', clock: '0:38' }],
    [560, { unit: 'clock', clock: '9:20' }],
    [1439, { unit: 'clock', clock: '23:59' }],
    [1440, { unit: 'days_hours', days: 1, hours: 0 }],
    [1680, { unit: 'days_hours', days: 1, hours: 4 }],
    [5 * 1440 + 700, { unit: 'days', days: 5 }],
  ])('%s minutes', (minutes, span) => {
    expect(splitDuration(minutes)).toEqual(span);
  });
});

test('the same speed means another time with a supporting document', () => {
  const t = makeTranslate('en', 'desk');
  expect(serviceName(t, { service: 'standard', withDocument: false })).toBe('Standard');
  expect(serviceName(t, { service: 'standard', withDocument: true })).toBe('Standard, 4 days');
  expect(serviceName(t, { service: 'urgent_12', withDocument: true })).toBe('Urgent, 12 hours');
  expect(serviceName(t, { service: '30-days', withDocument: false })).toBe('30 days');
});
