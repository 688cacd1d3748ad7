import { describe, expect, test } from 'vitest';
import { findUnreadable } from './browser-target.ts';

describe('a script for browsers', () => {
  test.each([
    ['export const a = /(?<=b)c/u;', 'a regular expression that looks behind'],
    ['export const a = new RegExp(`(?<!b)c`);', 'a regular expression that looks behind'],
    ['class A { static { this.b = 1; } }', 'a static block'],
    ['const a = () => [{ b: /[\\p{L}--a]/v }];', 'a regular expression with the flag v'],
    ['export const a = (b) => b.toSorted((c, d) => c - d);', 'toSorted()'],
    ['export const a = (b) => b?.toReversed();', 'toReversed()'],
    ['export const a = (b) => b.toSpliced(0, 1);', 'toSpliced()'],
    ['export const a = (b) => b.isWellFormed();', 'isWellFormed()'],
    ['export const a = (b) => b.isSubsetOf(new Set());', 'isSubsetOf()'],
    ['export const a = (b) => Object.groupBy(b, String);', 'Object.groupBy()'],
    ['export const a = (b) => URL.canParse(b);', 'URL.canParse()'],
    ['export const a = Promise.withResolvers();', 'Promise.withResolvers()'],
    ['export const a = (b) => Array.fromAsync(b);', 'Array.fromAsync()'],
    ['export const a = AbortSignal.any([]);', 'AbortSignal.any()'],
    ['export const a = new OffscreenCanvas(1, 1);', 'OffscreenCanvas'],
    ['requestIdleCallback(() => {});', 'requestIdleCallback'],
    ['export const a = (b) => b.values().map(String);', 'a method of iterators'],
  ])('%s is refused', (code, why) => expect(findUnreadable(code)).toEqual([why]));

  test('is taken with what Safari 15.4 reads', () => {
    const code = `class A { #b = 1; static c = 2; has(o) { return #b in o; } }
      const d = /(?<name>\\p{L})(?=e)/du; export default (d?.x ?? A.c); await null;`;
    expect(findUnreadable(code)).toEqual([]);
  });

  test('is taken with what Safari 15.4 has', () => {
    const code = `export const a = (b) => [...b].sort().at(-1) ?? b.findLast(Boolean);
      structuredClone(Object.hasOwn(a, 'b')); Object.values(a).map(String); [...new Set()].some(Boolean);`;
    expect(findUnreadable(code)).toEqual([]);
  });

  test('is taken with methods of its own that have the name of a newer one', () => {
    const code = `class Ordered extends Map { toSorted() { return [...this.entries()].sort(); } }
      export const a = (b) => new Ordered(b).toSorted();`;
    expect(findUnreadable(code)).toEqual([]);
  });

  test('is taken where it only asks whether there is a newer function', () => {
    const code = `export const a = (b) => typeof requestIdleCallback === 'function' ? 1 : 2;`;
    expect(findUnreadable(code)).toEqual([]);
  });
});
