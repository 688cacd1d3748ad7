import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movedHighlight, openingText } from './picker-keys.ts';

describe('the highlight in the country list', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 0, 1],
    ['ArrowDown', 9, 0],
    ['ArrowUp', -1, 9],
    ['ArrowUp', 0, 9],
    ['ArrowUp', 5, 4],
    ['PageDown', 0, 6],
    ['PageDown', 7, 9],
    ['PageUp', 9, 3],
    ['PageUp', 2, 0],
    ['Home', 3, undefined],
    ['End', 3, undefined],
    ['a', 3, undefined],
  ])('%s moves it from %i of 10 to %s', (key, from, to) => {
    expect(movedHighlight(key, from, 10)).toBe(to);
  });

  it('goes nowhere in an empty list', () => {
    expect(movedHighlight('ArrowDown', -1, 0)).toBeUndefined();
  });

  it('always stays inside the list', () => {
    const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp');
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 300 }), fc.nat(300), (key, count, from) => {
        const to = movedHighlight(key, Math.min(from, count) - 1, count);
        expect(to).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThan(count);
      }),
    );
  });
});

describe('a key on the closed select', () => {
  const press = (key: string, held = {}) =>
    openingText({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

  it.each([' ', 'Enter', 'F4', 'ArrowDown', 'ArrowUp'])('opens the list with %j', (key) => {
    expect(press(key)).toBe('');
  });

  it.each(['h', 'H', 'İ', 'م'])('starts the search with the letter %s', (key) => {
    expect(press(key)).toBe(key);
  });

  it('is a space of the name once one has begun', () => {
    expect(openingText({ key: ' ', ctrlKey: false, metaKey: false, altKey: false }, 'south')).toBe(
      ' ',
    );
  });

  it.each(['Tab', 'Escape', 'Shift', 'Dead', 'Process', 'Home'])('leaves %s alone', (key) => {
    expect(press(key)).toBeUndefined();
  });

  it('leaves shortcuts alone, but opens with Alt and an arrow', () => {
    expect(press('r', { ctrlKey: true })).toBeUndefined();
    expect(press('ArrowDown', { metaKey: true })).toBeUndefined();
    expect(press('f', { altKey: true })).toBeUndefined();
    expect(press('ArrowDown', { altKey: true })).toBe('');
  });
});
