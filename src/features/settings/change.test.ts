import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  settingsEdition,
  freshSeconds,
  upcomingChangeMoments,
  noSettings,
  valuesInForce,
  withChange,
  withoutChange,
  type SettingsChange,
  type Settings,
  replacementInForce,
} from './change.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23) + minute * 60_000);

const some = (overrides: Partial<SettingsChange> & Pick<SettingsChange, 'id'>): SettingsChange => ({
  section: 'visa_prices',
  values: {},
  validFrom: at(0),
  reason: '',
  staffId: null,
  confirmedBy: null,
  alone: false,
  createdAt: at(0),
  withdrawn: null,
  ...overrides,
});

const anySettings: fc.Arbitrary<Settings> = fc
  .array(
    fc.record({
      section: fc.constantFrom('visa_prices' as const, 'countries' as const),
      values: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 9 })),
      minute: fc.integer({ min: 0, max: 6 }),
      isWithdrawn: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((list) => ({
    version: list.length,
    changes: list.map(({ section, values, minute, isWithdrawn }, index) =>
      some({
        id: index + 1,
        section,
        values,
        validFrom: at(minute),
        withdrawn: isWithdrawn ? { at: at(0), staffId: null } : null,
      }),
    ),
  }));
const anyMoment = fc.integer({ min: -1, max: 8 }).map(at);

describe('what is in force at a moment', () => {
  it('is the last decision that has taken effect, subject by subject', () => {
    fc.assert(
      fc.property(anySettings, anyMoment, (settings, moment) => {
        const values = valuesInForce(settings, 'visa_prices', moment);
        for (const subject of ['a', 'b', 'c']) {
          // A naive version of the rule to compare with: the latest moment counts, then the later decision.
          let best: SettingsChange | null = null;
          for (const change of settings.changes) {
            const counts =
              change.section === 'visa_prices' &&
              change.withdrawn === null &&
              change.validFrom <= moment &&
              subject in change.values;
            if (!counts) continue;
            if (!best || change.validFrom >= best.validFrom) best = change;
          }
          expect(values[subject]).toBe(best?.values[subject]);
        }
      }),
    );
  });

  it('stays what it was, whatever is decided for later', () => {
    fc.assert(
      fc.property(
        anySettings,
        anyMoment,
        fc.integer({ min: 1, max: 9 }),
        (settings, now, later) => {
          const validFrom = new Date(now.getTime() + later);
          const planned = withChange(settings, {
            section: 'visa_prices',
            values: { a: 'new' },
            validFrom,
          });
          const before = new Date(validFrom.getTime() - 1);
          expect(valuesInForce(planned, 'visa_prices', before)).toEqual(
            valuesInForce(settings, 'visa_prices', before),
          );
          expect(valuesInForce(planned, 'visa_prices', validFrom)['a']).toBe('new');
        },
      ),
    );
  });

  it('changes at the moments that are told, and at no other', () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        const moments = upcomingChangeMoments(settings, 'visa_prices', at(-1)).map((one) =>
          one.getTime(),
        );
        for (let minute = 0; minute < 8; minute += 1) {
          if (moments.includes(at(minute).getTime())) continue;
          expect(valuesInForce(settings, 'visa_prices', at(minute))).toEqual(
            valuesInForce(settings, 'visa_prices', at(minute - 1)),
          );
        }
      }),
    );
  });

  it('has another edition whenever it is another', () => {
    fc.assert(
      fc.property(anySettings, anyMoment, anyMoment, (settings, one, other) => {
        if (settingsEdition(settings, one) !== settingsEdition(settings, other)) return;
        expect(valuesInForce(settings, 'visa_prices', one)).toEqual(
          valuesInForce(settings, 'visa_prices', other),
        );
      }),
    );
  });

  it('ignores a decision that was withdrawn', () => {
    const first = some({ id: 1, values: { a: 1 } });
    const second = some({ id: 2, values: { a: 2 }, validFrom: at(5) });
    const settings = { version: 2, changes: [first, second] };
    expect(valuesInForce(settings, 'visa_prices', at(5))).toEqual({ a: 2 });
    expect(valuesInForce(withoutChange(settings, 2), 'visa_prices', at(5))).toEqual({ a: 1 });
  });
});

describe('how long an answer may be cached', () => {
  const settings = withChange(noSettings, {
    section: 'plan_prices',
    values: {},
    validFrom: at(5),
  });

  it('is what was asked for, or less where a decision takes effect before', () => {
    expect(freshSeconds(noSettings, at(0), 600)).toBe(600);
    expect(freshSeconds(settings, at(0), 600)).toBe(300);
    expect(freshSeconds(settings, new Date(at(5).getTime() - 500), 600)).toBe(0);
    expect(freshSeconds(settings, at(5), 600)).toBe(600);
  });
});

describe('in force', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day));
  const change = (id: number, subject: string, day: number, withdrawn = false): SettingsChange => ({
    id,
    section: 'countries',
    values: { [subject]: id },
    validFrom: at(day),
    reason: '',
    staffId: null,
    confirmedBy: null,
    alone: false,
    createdAt: at(1),
    withdrawn: withdrawn ? { at: at(2), staffId: null } : null,
  });
  const settings: Settings = {
    version: 5,
    changes: [
      change(1, 'ZAF', 2),
      change(2, 'ZAF', 4),
      change(3, 'JAM', 4),
      change(4, 'ZAF', 5, true),
      change(5, 'ZAF', 9),
    ],
  };

  test.each([
    ['ZAF', 1, null],
    ['ZAF', 3, 1],
    ['ZAF', 4, 2],
    ['ZAF', 8, 2],
    ['ZAF', 9, 5],
    ['JAM', 9, 3],
  ])('of %s on day %i decision %j is in force, and none before it any more', (subject, day, id) => {
    expect(valuesInForce(settings, 'countries', at(day))[subject] ?? null).toBe(id);
  });

  test.each([
    [1, 'ZAF', 3, null],
    [1, 'ZAF', 4, 4],
    [1, 'ZAF', 9, 4],
    [2, 'ZAF', 8, null],
    [2, 'ZAF', 9, 9],
    [3, 'JAM', 9, null],
  ])('decision %i of %s is replaced, seen on day %i, from day %j on', (id, subject, day, until) => {
    const decision = settings.changes.find((one) => one.id === id);
    if (!decision) throw new Error('no such decision');
    expect(replacementInForce(settings, decision, subject, at(day))).toEqual(
      until === null ? null : at(until),
    );
  });
});
