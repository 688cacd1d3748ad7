import { expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { paths, speedsFor } from '~/features/visa/rules/speeds.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { speedWords } from './speed-words.ts';

const visa = (service: string, withDocument: boolean) =>
  ({ kind: 'visa', service, withDocument }) as const;

test('the same name means another time with a supporting document', () => {
  const t = textsIn('en', 'desk');
  expect(speedWords(t, visa('standard', false))).toBe('Standard');
  expect(speedWords(t, visa('standard', true))).toBe('Standard, 4 days');
  expect(speedWords(t, visa('urgent_12', true))).toBe('Urgent, 12 h');
});

test('what the path does not sell, and insurance, has no such words', () => {
  const t = textsIn('en', 'desk');
  expect(speedWords(t, visa('express', true))).toBeNull();
  expect(speedWords(t, { ...visa('standard', false), kind: 'insurance' })).toBeNull();
});

test.each(languageCodes)('every speed has words in %s', (code) => {
  const t = textsIn(code, 'desk');
  for (const path of paths) {
    for (const { processingType } of speedsFor(path)) {
      const words = speedWords(t, visa(processingType, path === 'with_document'));
      expect(words).toMatch(/^\p{L}/u);
      expect(words).not.toContain('speed.');
    }
  }
});
