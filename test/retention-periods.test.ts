import { expect, test } from 'vitest';
import { schedule } from '../src/app/jobs.server.ts';
import { retention } from '../src/base/retention-periods.ts';
import { LINK_DAYS } from '../src/features/form/answers/limits.ts';

/** Rows with their own expiry are deleted then, without a retention period. */
const EXPIRING = ['desk.delete_claims', 'application.delete_links'];

test('every job that deletes stands in the table, and every job of the table is run', () => {
  const deleting = schedule
    .map(({ name }) => name)
    .filter((name) => /forget|purge|delete|retention/.test(name) && !EXPIRING.includes(name));
  const inTable = Object.values(retention).flatMap(({ job }) => job ?? []);
  expect([...new Set(inTable)].toSorted()).toEqual(deleting.toSorted());
});

test('a draft outlives the last link to it', () => {
  expect(retention.draft.days).toBe(LINK_DAYS + 2);
});

const sources = import.meta.glob<string>(['../src/**/*.{ts,tsx}', '!../src/**/*.test.{ts,tsx}'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** In memory, not in the database. */
const CACHES = ['../src/features/payment/providers/paypal-client.server.ts'];

test('no other file holds a period', () => {
  const period = /\b\w*(?:KEPT|LOG|RETENTION)\w*_(?:MS|HOURS|DAYS|YEARS)\b|\.set(?:UTC)?FullYear\(/;
  const holding = Object.entries(sources).filter(([, text]) => period.test(text));
  expect(holding.map(([path]) => path).toSorted()).toEqual(
    [...CACHES, '../src/base/retention-periods.ts'].toSorted(),
  );
});
