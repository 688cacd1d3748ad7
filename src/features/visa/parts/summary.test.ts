import { describe, expect, it } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { toDecimal } from '~/base/money.ts';
import { firstPriceList } from '../testing/first-price-list.ts';
import { countries, NOW } from '../testing/sample-answers.ts';
import { promisedNow } from '../rules/ready-by.ts';
import { summaryOf } from './summary.ts';

const at = firstPriceList;
const { southAfrica, india, egypt, germany } = countries;
const total = (...args: Parameters<typeof summaryOf>) => {
  const summary = summaryOf(...args);
  return [toDecimal(summary.total), summary.isFrom];
};

describe('the summary', () => {
  it('says from when on, until a speed is chosen', () => {
    expect(total({}, null, at)).toEqual(['94.00', true]);
    expect(total({}, southAfrica, at)).toEqual(['94.00', true]);
    expect(total({}, india, at)).toEqual(['119.00', true]);
    expect(total({ processingType: 'express' }, india, at)).toEqual(['119.00', true]);
    expect(total({ processingType: 'standard' }, germany, at)).toEqual(['94.00', true]);
  });

  it('says it of the cheapest in time for the arrival, as the step with the speeds will', () => {
    const inTime = { without_document: 'fast', with_document: 'standard' } as const;
    expect(total({}, india, at, inTime)).toEqual(['184.00', true]);
    expect(total({}, southAfrica, at, inTime)).toEqual(['144.00', true]);
    expect(total({}, india, at, { with_document: null })).toEqual(['119.00', true]);
  });

  it('costs an exempt Egyptian what an e-visa without a document does', () => {
    expect(total({ hasSupportingDocument: 'exempt' }, egypt, at)).toEqual(['94.00', true]);
    expect(total({ hasSupportingDocument: 'yes' }, egypt, at)).toEqual(['119.00', true]);
  });

  it('adds the speed to the fee', () => {
    expect(total({ processingType: 'urgent' }, southAfrica, at)).toEqual(['364.00', false]);
    expect(total({ processingType: 'standard' }, india, at)).toEqual(['184.00', false]);
    expect(total({ processingType: 'urgent_1' }, india, at)).toEqual(['714.00', false]);
  });

  it('leaves a wrong arrival out', () => {
    const answers = { processingType: 'urgent', arrivalDate: 'soon' };
    expect(summaryOf(answers, southAfrica, at).arrival).toBeNull();
  });

  it('goes with the moment that is promised for the chosen speed', () => {
    const promised = (processingType: string, country = southAfrica) =>
      promisedNow({ processingType }, country, NOW, firstOffice)?.toISOString();
    expect(promised('urgent')).toBe('2026-11-23T12:00:00.000Z');
    expect(promised('slow')).toBeUndefined();
    expect(promised('standard', germany)).toBeUndefined();
  });
});
