import { expect, it } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { reviewBy } from '../certificate/certificate-job.server.ts';

it.each([
  ['2026-11-23T09:00:41Z', '2026-11-23T17:00:00Z', 'in the morning: the same day'],
  ['2026-11-23T10:00:00Z', '2026-11-23T18:00:00Z', 'until closing time'],
  ['2026-11-24T16:30:00Z', '2026-11-25T15:30:00Z', 'over a night'],
  ['2026-11-20T17:00:00Z', '2026-11-23T16:00:00Z', 'over a weekend'],
  ['2026-11-21T03:12:00Z', '2026-11-23T17:00:00Z', 'paid on a Saturday: from the next opening'],
])('paid at %s, a review is promised by %s (%s)', (paidAt, promisedAt) => {
  expect(reviewBy(new Date(paidAt), firstOffice)).toEqual(new Date(promisedAt));
});
