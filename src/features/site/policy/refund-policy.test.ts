import { describe, expect, test } from 'vitest';
import {
  fullRefundCauses,
  premiumShare,
  processingRefundCauses,
  visaShares,
} from './refund-policy.ts';

const paidAt = new Date('2026-11-23T10:00:00Z');
const after = (minutes: number) => new Date(paidAt.getTime() + minutes * 60_000);

describe('a cancelled visa application', () => {
  test.each([
    [0, true, 100],
    [60, true, 100],
    [60, false, 100],
    [61, true, 80],
    [24 * 60, true, 80],
    [24 * 60 + 1, true, 0],
    [61, false, 0],
  ])(
    'after %i minutes, pending: %s, returns %i %% of processing',
    (minutes, pending, processing) => {
      const shares = visaShares('cancelled', { paidAt, askedAt: after(minutes), pending });
      expect(shares).toEqual({ evisaFee: 0, processing });
    },
  );

  test.each(fullRefundCauses)('for %s returns everything at any time', (cause) => {
    const asked = { paidAt, askedAt: after(20_000), pending: false };
    expect(visaShares(cause, asked)).toEqual({ evisaFee: 100, processing: 100 });
  });

  test.each(processingRefundCauses)('for %s returns the processing price alone', (cause) => {
    const asked = { paidAt, askedAt: after(20_000), pending: false };
    expect(visaShares(cause, asked)).toEqual({ evisaFee: 0, processing: 100 });
  });
});

describe('a cancelled insurance', () => {
  const startsAt = paidAt;
  test.each([
    [49, 90],
    [48, 90],
    [47, 70],
    [24, 70],
    [23, 0],
    [-1, 0],
  ])('%i hours before the start returns %i %%', (hours, share) => {
    const askedAt = after(-hours * 60);
    expect(premiumShare('cancelled', { startsAt, askedAt })).toBe(share);
    expect(premiumShare('visa_refused', { startsAt, askedAt })).toBe(100);
  });
});
