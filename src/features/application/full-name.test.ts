import { expect, it } from 'vitest';
import { fullName } from './full-name.ts';

it.each([
  ['Thandi', 'Nkosi', 'Thandi Nkosi'],
  ['Suharto', 'Suharto', 'Suharto'],
  ['', 'Suharto', 'Suharto'],
  [' Thandi ', ' Nkosi', 'Thandi Nkosi'],
  ['Suharto ', 'Suharto', 'Suharto'],
  ['', '', ''],
])('of %j and %j is %j', (firstName, lastName, name) => {
  expect(fullName({ firstName, lastName })).toBe(name);
});

it('is empty before there are any answers', () => {
  expect(fullName({})).toBe('');
});
