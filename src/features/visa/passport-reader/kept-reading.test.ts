import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropReading, keepReading, keptReading } from './kept-reading.ts';

const zone = 'ZAF|NKOSI|THANDI||A01234567||';

const stored = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  stored.clear();
});

test('what was read is kept for the same traveller for an hour', () => {
  keepReading(zone, 2);
  expect(keptReading(2)).toBe(zone);
  vi.advanceTimersByTime(3_600_000);
  expect(keptReading(2)).toBe(zone);
  vi.advanceTimersByTime(1);
  expect(keptReading(2)).toBeUndefined();
  expect(stored.size).toBe(0);
});

test('what is of another traveller is dropped', () => {
  keepReading(zone, 2);
  expect(keptReading(1)).toBeUndefined();
  expect(stored.size).toBe(0);
});

test('nothing is left of what was dropped', () => {
  keepReading(zone, 1);
  dropReading();
  expect(stored.size).toBe(0);
  expect(keptReading(1)).toBeUndefined();
});

test('what we have not written is nothing', () => {
  for (const written of ['', '{', '1', `1\nx\n${zone}`, `1\n9000000000000000\n${zone}`]) {
    stored.set('passport-reading', written);
    expect(keptReading(1), written).toBeUndefined();
    expect(stored.size, written).toBe(0);
  }
});

test('a browser that stores nothing keeps nothing', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepReading(zone, 1);
  dropReading();
  expect(keptReading(1)).toBeUndefined();
});
