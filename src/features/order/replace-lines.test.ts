import { expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import { replaceLines } from './replace-lines.ts';

const stored = (applicationNumber: string, amountMinor: number) => ({
  applicationNumber,
  code: 'line',
  detail: null,
  amountMinor,
});
const line = (applicationNumber: string, amountMinor: number) => ({
  applicationNumber,
  code: 'line',
  detail: null,
  amount: usd(amountMinor),
});
const before = [stored('A', 1), stored('B', 2), stored('B', 3), stored('C', 4)];

it.each([
  ['in their place', ['B'], [line('B', 9)], [line('A', 1), line('B', 9), line('C', 4)]],
  [
    'of several applications at the first one’s',
    ['A', 'C'],
    [line('A', 9)],
    [line('A', 9), line('B', 2), line('B', 3)],
  ],
  ['by none', ['B'], undefined, [line('A', 1), line('C', 4)]],
  [
    'of nobody after the others',
    ['D'],
    [line('D', 9)],
    [...before.map((one) => line(one.applicationNumber, one.amountMinor)), line('D', 9)],
  ],
])('replaces lines %s', (_, numbers, lines, after) => {
  expect(replaceLines(before, numbers, lines)).toEqual(after);
});
