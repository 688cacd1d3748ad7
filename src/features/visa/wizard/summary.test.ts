import { describe, expect, it } from 'vitest';
import { toDecimal } from '~/base/money.ts';
import { countries, NOW } from '../testing/sample-answers.ts';
import { summaryOf } from './summary.ts';

const { southAfrica, india, germany } = countries;
const total = (...args: Parameters<typeof summaryOf>) => {
  const summary = summaryOf(...args);
  return [toDecimal(summary.total), summary.isFrom];
};

describe('the summary', () => {
  it('says from when on, until a speed is chosen', () => {
    expect(total({}, null, NOW)).toEqual(['94.00', true]);
    expect(total({}, southAfrica, NOW)).toEqual(['94.00', true]);
    expect(total({}, india, NOW)).toEqual(['119.00', true]);
    expect(total({ processingType: 'express' }, india, NOW)).toEqual(['119.00', true]);
    expect(total({ processingType: 'standard' }, germany, NOW)).toEqual(['94.00', true]);
  });

  it('adds the speed to the fee', () => {
    expect(total({ processingType: 'urgent' }, southAfrica, NOW)).toEqual(['364.00', false]);
    expect(total({ processingType: 'standard' }, india, NOW)).toEqual(['184.00', false]);
    expect(total({ processingType: 'urgent_1' }, india, NOW)).toEqual(['714.00', false]);
  });

  it('promises a moment for the chosen speed, and leaves a wrong arrival out', () => {
    const summary = summaryOf({ processingType: 'urgent', arrivalDate: 'soon' }, southAfrica, NOW);
    expect(summary.readyBy?.toISOString()).toBe('2026-11-23T12:00:00.000Z');
    expect(summary.arrival).toBeNull();
  });
});
