import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differing } from './side-by-side.tsx';

test.each([
  [
    ['a', 'a', 'b'],
    [false, false, true],
  ],
  [
    ['a', 'a', 'a'],
    [false, false, false],
  ],
  [
    ['a', 'b'],
    [false, false],
  ],
  [
    ['a', 'b', 'c'],
    [false, false, false],
  ],
  [
    ['a', 'a', 'b', 'b'],
    [false, false, false, false],
  ],
  [
    ['a', 'a', 'a', 'b', 'c'],
    [false, false, false, true, true],
  ],
  [['a'], [false]],
  [[], []],
])('of %j the ones that differ are %j', (values, expected) => {
  expect(differing(values)).toEqual(expected);
});

test('fewer than half differ, whatever the values', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (values) => {
      const marked = differing(values).filter(Boolean).length;
      expect(marked * 2).toBeLessThan(Math.max(1, values.length));
    }),
  );
});
