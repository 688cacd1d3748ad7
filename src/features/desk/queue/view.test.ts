import { expect, test } from 'vitest';
import { LONGEST_VIEW_NAME, readViewName, viewQuery } from './list-filter.ts';

test.each([
  ['', ''],
  ['?show=open&status=pending', '?show=open&status=pending'],
  ['?status=pending&show=open&tab=insurance', '?tab=insurance&show=open&status=pending'],
  ['?search=sealed&nationality=IND', '?nationality=IND'],
  ['?after=00000000-0000-4000-8000-000000000000&sort=name&done=x', '?sort=name'],
  ['?show=nonsense', ''],
])('of the address %s a view keeps “%s”', (address, kept) => {
  expect(viewQuery(address)).toBe(kept);
});

test('a name is a line of some length', () => {
  expect(readViewName('  Urgent \n today ')).toEqual({ name: 'Urgent today' });
  expect(readViewName(' ')).toEqual({ problem: 'empty_name' });
  expect(readViewName('x'.repeat(LONGEST_VIEW_NAME + 1))).toEqual({ problem: 'long_name' });
});
