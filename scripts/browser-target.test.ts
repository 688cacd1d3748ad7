import { describe, expect, test } from 'vitest';
import { unreadableIn } from './browser-target.ts';

describe('a script for browsers', () => {
  test.each([
    ['export const a = /(?<=b)c/u;', 'a regular expression that looks behind'],
    ['export const a = new RegExp(`(?<!b)c`);', 'a regular expression that looks behind'],
    ['class A { static { this.b = 1; } }', 'a static block'],
    ['const a = () => [{ b: /[\\p{L}--a]/v }];', 'a regular expression with the flag v'],
  ])('%s is refused', (code, why) => expect(unreadableIn(code)).toEqual([why]));

  test('is taken with what Safari 15.4 reads', () => {
    const code = `class A { #b = 1; static c = 2; has(o) { return #b in o; } }
      const d = /(?<name>\\p{L})(?=e)/du; export default (d?.x ?? A.c); await null;`;
    expect(unreadableIn(code)).toEqual([]);
  });
});
