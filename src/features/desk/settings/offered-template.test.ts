import { expect, test } from 'vitest';
import { noteWith } from './offered-template.ts';

test('a ticked field adds its text in a line of its own, once', () => {
  const one = noteWith('', 'First.', true);
  expect(one).toBe('First.');
  const two = noteWith(one, 'Second.', true);
  expect(two).toBe('First.\nSecond.');
  expect(noteWith(two, 'First.', true)).toBe(two);
  expect(noteWith('Own words. \n', 'First.', true)).toBe('Own words.\nFirst.');
});

test('taking the tick away removes only what was not changed', () => {
  expect(noteWith('First.\nSecond.', 'First.', false)).toBe('Second.');
  expect(noteWith('First, please.\nSecond.', 'First.', false)).toBe('First, please.\nSecond.');
});
