import { describe, expect, it } from 'vitest';
import { punctuality } from './status-view.ts';

const promised = new Date('2026-11-26T13:20:00Z');

describe('how a decision compares with its promised moment', () => {
  it.each([
    ['1 day before', '2026-11-25T12:52:00Z', { kind: 'days_early', days: 1 }],
    ['1 day before, late in the evening', '2026-11-25T23:59:00Z', { kind: 'days_early', days: 1 }],
    ['three days before', '2026-11-23T18:00:00Z', { kind: 'days_early', days: 3 }],
    ['the same morning', '2026-11-26T09:00:00Z', { kind: 'in_time' }],
    ['on the minute', '2026-11-26T13:20:00Z', { kind: 'in_time' }],
    ['late', '2026-11-26T13:21:00Z', { kind: 'unpromised' }],
  ])('%s', (_, decided, expected) => {
    expect(punctuality(new Date(decided), promised)).toEqual(expected);
  });

  it('is not shown without a promised moment', () => {
    expect(punctuality(promised, null)).toEqual({ kind: 'unpromised' });
    expect(punctuality(null, promised)).toEqual({ kind: 'unpromised' });
  });
});
