import { expect, it } from 'vitest';
import { fullName, listedName } from './full-name.ts';

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

it('is written once in lists, too, where it is a single name', () => {
  expect(listedName({ firstName: 'Thandi', lastName: 'Nkosi' })).toBe('Nkosi, Thandi');
  expect(listedName({ firstName: 'Suharto', lastName: 'Suharto' })).toBe('Suharto');
});
