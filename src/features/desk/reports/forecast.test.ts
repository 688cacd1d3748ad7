import { describe, expect, test } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { decidedAtPace, forecastSpan, hourlyPace } from './forecast.ts';

describe('the hours of the forecast', () => {
  test('are working hours: nights and weekends are skipped', () => {
    // 20 November 2026 is a Friday.
    const span = forecastSpan(new Date('2026-11-20T16:00:00Z'), firstOffice);
    expect(span.ends).toEqual([new Date('2026-11-23T15:00:00Z'), new Date('2026-11-25T13:00:00Z')]);
    expect(span.workedHours).toBe(45);
  });

  test('skip holidays and closed days, and none of those counts for the pace', () => {
    // A holiday from the afternoon of 28 October, which counts whole, to the 29th; the office is closed on the 30th.
    const closed = { ...firstOffice, closures: [{ from: '2026-10-30', to: '2026-10-30' }] };
    const span = forecastSpan(new Date('2026-10-28T17:00:00Z'), closed);
    expect(span.ends[0]).toEqual(new Date('2026-11-02T17:00:00Z'));
    const later = forecastSpan(new Date('2026-11-02T09:00:00Z'), closed);
    expect(later.workedHours).toBe(18);
  });
});

describe('the pace', () => {
  test.each([
    [{ decided: 90, workedHours: 45 }, 2, 16],
    [{ decided: 5, workedHours: 45 }, 1 / 9, 0],
    [{ decided: 0, workedHours: 45 }, 0, 0],
    [{ decided: 3, workedHours: 0 }, null, null],
  ])('%o', (pace, hourly, inEight) => {
    expect(hourlyPace(pace)).toBe(hourly);
    expect(decidedAtPace(pace, 8)).toBe(inEight);
  });
});
