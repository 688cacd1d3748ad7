import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDay, type Fingerprint } from './audit-seal.server.ts';

/** Entries of one day with ascending numbers and different contents. */
const days = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 15 })
  .map((ids) => ids.toSorted((a, b) => a - b).map((id) => ({ id, print: `words of ${id}` })));

const kinds = (sealed: Fingerprint[], found: Fingerprint[]) =>
  compareDay('2021-03-01', sealed, found).map(({ kind, entry }) => `${kind} ${entry}`);

const anyOf = fc.nat().map((n) => (list: readonly Fingerprint[]) => n % list.length);

test('an untouched day has no finding', () => {
  fc.assert(
    fc.property(days, (day) => {
      expect(kinds(day, day)).toEqual([]);
    }),
  );
});

test('any change of one entry is reported for that entry alone', () => {
  fc.assert(
    fc.property(days, anyOf, (day, pick) => {
      const entry = day[pick(day)] ?? { id: 0, print: '' };
      const without = day.filter(({ id }) => id !== entry.id);
      expect(kinds(day, without)).toEqual([`removed ${entry.id}`]);
      expect(kinds(without, day)).toEqual([`inserted ${entry.id}`]);
      const changed = day.map((one) => (one === entry ? { ...one, print: 'other words' } : one));
      expect(kinds(day, changed)).toEqual([`changed ${entry.id}`]);
      const moved = [...without, { id: 1000, print: entry.print }];
      expect(kinds(day, moved)).toEqual(['reordered 1000']);
    }),
  );
});

test('two entries that changed places are both reported', () => {
  fc.assert(
    fc.property(days, (day) => {
      const [first, ...rest] = day;
      const last = rest.at(-1);
      if (!first || !last) return;
      const middle = day.slice(1, -1);
      const swapped = [
        { id: first.id, print: last.print },
        ...middle,
        { id: last.id, print: first.print },
      ];
      expect(kinds(day, swapped)).toEqual([`reordered ${first.id}`, `reordered ${last.id}`]);
    }),
  );
});
