import { firstOffice } from '~/base/dates/office.ts';
import { expect, it } from 'vitest';
import { skippedByLatest, skippedDays } from './skipped-days.ts';

const paidAt = new Date('2026-11-23T10:00:00Z');
const office = { ...firstOffice, closures: [{ from: '2026-11-25', to: '2026-11-26' }] };
const at = (day: number) => new Date(`2026-11-${day}T12:00:00Z`);
const days = [{ why: 'office', first: '2026-11-25', last: '2026-11-26' }];

it.each([
  ['a promise behind them', { promisedAt: at(27), pausedAt: null }, days],
  ['a promise before them', { promisedAt: at(24), pausedAt: null }, []],
  ['no promise', { promisedAt: null, pausedAt: null }, []],
  ['a promise that waits for the traveller', { promisedAt: at(27), pausedAt: at(24) }, []],
])('%s skips the closed days accordingly', (_, promise, skipped) => {
  expect(skippedDays(promise, paidAt, office)).toMatchObject(skipped);
  expect(skippedDays(promise, paidAt, office)).toHaveLength(skipped.length);
});

it('of promises paid together the latest that is still to be kept counts', () => {
  const early = { promisedAt: at(24), decidedAt: null, skipped: [] };
  const late = {
    promisedAt: at(27),
    decidedAt: null,
    skipped: skippedDays({ promisedAt: at(27), pausedAt: null }, paidAt, office),
  };
  expect(skippedByLatest([early, late])).toBe(late.skipped);
  expect(skippedByLatest([late, early])).toBe(late.skipped);
  expect(skippedByLatest([early, { ...late, decidedAt: at(24) }])).toEqual([]);
  expect(skippedByLatest([early, { ...late, promisedAt: null }])).toEqual([]);
  expect(skippedByLatest([])).toEqual([]);
});
