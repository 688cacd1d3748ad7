import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, wallClock, zoneLabel } from './wall-clock.ts';

const zones = ['UTC', 'Etc/GMT+12', '+05:45', ...Intl.supportedValuesOf('timeZone')];

/** What `Intl` says, asked anew. */
function asked(instant: Date, timeZone: string) {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(instant);
  const [date = '', time = ''] = text.split(' ');
  return { date, time };
}

const someMoment = fc.date({
  min: new Date('1973-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('the wall clock of a zone', () => {
  it('shows what Intl says, in every zone at any moment', () => {
    fc.assert(
      fc.property(someMoment, fc.constantFrom(...zones), (instant, zone) => {
        expect(wallClock(instant, zone)).toEqual(asked(instant, zone));
        // Once more, from what was kept.
        expect(wallClock(instant, zone)).toEqual(asked(instant, zone));
      }),
      { numRuns: 400 },
    );
  });

  it('changes at the very minute on a day on which clocks change', () => {
    const berlin = (text: string) => wallClock(new Date(text), 'Europe/Berlin').time;
    expect(berlin('2026-10-25T00:59:00Z')).toBe('02:59');
    expect(berlin('2026-10-25T01:00:00Z')).toBe('02:00');
    expect(zoneLabel(new Date('2026-10-25T00:59:00Z'), 'Europe/Berlin')).toBe('UTC+2');
    expect(zoneLabel(new Date('2026-10-25T01:00:00Z'), 'Europe/Berlin')).toBe('UTC+1');
  });

  it('knows moments before zones were whole minutes apart', () => {
    expect(wallClock(new Date('1960-06-01T12:00:00Z'), 'UTC')).toEqual({
      date: '1960-06-01',
      time: '12:00',
    });
    expect(wallClock(new Date('1971-06-01T12:00:00Z'), 'Africa/Monrovia').time).toBe('11:15');
  });

  it('refuses unknown zones, also where much is kept', () => {
    expect(isTimeZone('Europe/Istanbul')).toBe(true);
    expect(isTimeZone('Europe/Byzantium')).toBe(false);
    expect(() => wallClock(new Date(0), 'Europe/Byzantium')).toThrow(RangeError);
  });
});
