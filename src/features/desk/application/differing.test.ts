import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markDiffering } from './differing.tsx';

const written = (before: string, after: string) =>
  markDiffering(before, after).map((parts) =>
    parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''),
  );

test.each([
  ['N38302124', 'N38313124', 'N383[02]124', 'N383[13]124'],
  ['A1234567', 'A123567', 'A123[4]567', 'A123567'],
  ['Naidu', 'Naidoo', 'Naid[u]', 'Naid[oo]'],
  ['', 'B1', '', '[B1]'],
])('of %s and %s the characters that differ are marked', (before, after, old, now) => {
  expect(written(before, after)).toEqual([old, now]);
});

test('nothing of either text is lost', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const texts = markDiffering(before, after).map((parts) =>
        parts.map(({ text }) => text).join(''),
      );
      expect(texts).toEqual([before, after]);
    }),
  );
});
