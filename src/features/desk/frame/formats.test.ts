import { expect, test } from 'vitest';
import { formatLanguage, formatSpan } from './formats.ts';

test.each([
  ['ar', 'en', 'Arabic'],
  ['en', 'tr', 'İngilizce'],
  ['', 'en', ''],
  ['no language', 'en', 'no language'],
] as const)('the language %o is called so in %s', (code, reader, name) => {
  expect(formatLanguage(code, reader)).toBe(name);
});

test.each([
  [0, '0 minutes'],
  [10, '10 seconds'],
  [60, '1 minute'],
  [6960, '1 hour, 56 minutes'],
  [90_060, '1 day, 1 hour'],
])('%d seconds are written by their two largest units', (seconds, text) => {
  expect(formatSpan(seconds, 'en')).toBe(text);
});
