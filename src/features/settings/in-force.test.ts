import { expect, test } from 'vitest';
import { inForce, replacedAt, type Change, type Settings } from './change.ts';

const at = (day: number) => new Date(Date.UTC(2026, 10, day));
const change = (id: number, subject: string, day: number, withdrawn = false): Change => ({
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
  expect(inForce(settings, 'countries', subject, at(day))?.id ?? null).toBe(id);
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
  expect(replacedAt(settings, decision, subject, at(day))).toEqual(
    until === null ? null : at(until),
  );
});
