import { describe, expect, it } from 'vitest';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { timeline, type StageFacts } from './status-view.ts';

const createdAt = new Date('2026-11-19T10:21:00Z');
const paidAt = new Date('2026-11-19T11:05:00Z');
const processingAt = new Date('2026-11-20T09:40:00Z');
const decidedAt = new Date('2026-11-25T12:52:00Z');
const promisedAt = new Date('2026-11-26T13:20:00Z');

const nothing: StageFacts = {
  decidedBy: 'authorities',
  status: 'pending',
  createdAt,
  paidAt: null,
  processingAt: null,
  decidedAt: null,
  promisedAt: null,
};
const paid: StageFacts = { ...nothing, paidAt, promisedAt };
const states = (facts: StageFacts) => timeline(facts).map(({ name, state }) => `${name} ${state}`);

describe('the timeline', () => {
  it.each<[string, StageFacts, string[]]>([
    ['unpaid', nothing, ['submitted done', 'review next', 'processing next', 'approved next']],
    ['paid', paid, ['submitted done', 'review now', 'processing next', 'approved next']],
    [
      'handed to the authorities',
      { ...paid, status: 'processing', processingAt },
      ['submitted done', 'review done', 'processing now', 'approved next'],
    ],
    [
      'approved',
      { ...paid, status: 'approved', processingAt, decidedAt },
      ['submitted done', 'review done', 'processing done', 'approved done'],
    ],
    [
      'approved without having been handed over',
      { ...paid, status: 'approved', decidedAt },
      ['submitted done', 'review done', 'approved done'],
    ],
    [
      'rejected',
      { ...paid, status: 'rejected', processingAt, decidedAt },
      ['submitted done', 'review done', 'processing done', 'rejected failed'],
    ],
    [
      'cancelled by who paid',
      { ...paid, status: 'rejected', decidedAt, cancelledAt: decidedAt },
      ['submitted done', 'review done', 'cancelled failed'],
    ],
    [
      'approved, and cancelled afterwards',
      { ...paid, decidedBy: 'service', status: 'approved', decidedAt, cancelledAt: decidedAt },
      ['submitted done', 'approved done', 'cancelled failed'],
    ],
    [
      'rejected unpaid',
      { ...nothing, status: 'rejected', decidedAt },
      ['submitted done', 'rejected failed'],
    ],
  ])('of one that is %s', (_, facts, expected) => {
    expect(states(facts)).toEqual(expected);
  });

  it.each<[string, StageFacts, string[]]>([
    [
      'unpaid insurance',
      { ...nothing, decidedBy: 'service' },
      ['submitted done', 'certificate next', 'approved next'],
    ],
    [
      'paid insurance of an adult',
      { ...paid, decidedBy: 'service' },
      ['submitted done', 'certificate now', 'approved next'],
    ],
    [
      'certified insurance of an adult',
      { ...paid, decidedBy: 'service', status: 'approved', decidedAt },
      ['submitted done', 'approved done'],
    ],
    [
      'paid insurance of a minor',
      { ...paid, decidedBy: 'reviewer' },
      ['submitted done', 'review now', 'approved next'],
    ],
    [
      'rejected insurance of a minor',
      { ...paid, decidedBy: 'reviewer', status: 'rejected', decidedAt },
      ['submitted done', 'review done', 'rejected failed'],
    ],
  ])('of an %s', (_, facts, expected) => {
    expect(states(facts)).toEqual(expected);
  });

  it('dates what happened and promises only the approval', () => {
    const [submitted, review, processing, approved] = timeline(paid);
    expect(submitted?.at).toEqual(createdAt);
    expect(review?.at).toEqual(paidAt);
    expect(processing).toMatchObject({ at: null, by: null });
    expect(approved).toMatchObject({ at: null, by: promisedAt });
  });

  it('has at most one current stage, and nothing done after something to come', () => {
    for (const status of applicationStatuses) {
      for (const base of [nothing, paid]) {
        const all = timeline({ ...base, status, processingAt, decidedAt }).map(
          ({ state }) => state,
        );
        expect(all.filter((state) => state === 'now').length).toBeLessThanOrEqual(1);
        const firstNext = all.indexOf('next');
        if (firstNext >= 0)
          expect(all.slice(firstNext).every((state) => state === 'next')).toBe(true);
      }
    }
  });
});
