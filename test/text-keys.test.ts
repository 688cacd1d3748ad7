import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CodeIn } from '../src/base/text-keys.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';
import { textsIn } from '../src/i18n/translations.server.ts';

const t = textsIn('en', 'settings');

/** A key that is not in the English file does not compile: `npm run check` fails where an expected error is missing. */
test('keys are those of the English files', () => {
  expect(t('done.saved')).toBe(t('settings:done.saved'));
  // @ts-expect-error no text has this key
  expect(t('done.forgotten')).toBe('done.forgotten');
  // @ts-expect-error another namespace is named before its key
  expect(t('errorSummary.titlePrefix')).toBe('errorSummary.titlePrefix');
  // @ts-expect-error a group is no text
  expect(t('done')).toBe('done');
  const fromOutside: string = 'outside';
  // @ts-expect-error a code from outside needs a default
  expect(t(`done.${fromOutside}`)).toBe('done.outside');
  expect(t(`done.${fromOutside}`, 'as it came')).toBe('as it came');
  // @ts-expect-error the last of several keys is one that there is
  expect(t(['done.saved', `done.${fromOutside}`])).toBe(t('done.saved'));
  expect(t([`done.${fromOutside}`, 'done.saved'])).toBe(t('done.saved'));
});

test('a counted text is asked for without its plural form', () => {
  expect(t('retention.years', { count: 2 })).toContain('2');
  // @ts-expect-error the form follows from `count`
  expect(t('retention.years_other', { count: 2 })).toContain('2');
});

test('codes with words are a type', () => {
  const saved: CodeIn<'settings', 'done'> = 'saved';
  // @ts-expect-error no words are written for it
  const forgotten: CodeIn<'settings', 'done'> = 'forgotten';
  expect([saved, forgotten]).toEqual(['saved', 'forgotten']);
});

test('every English file is typed', () => {
  const source = readFileSync(join(projectRoot, 'src/base/text-keys.ts'), 'utf8');
  const typed = [...source.matchAll(/from '\.\.\/\.\.\/locales\/en\/(.+)\.json'/g)].map(
    ([, name]) => name,
  );
  const files = readdirSync(join(projectRoot, 'locales/en'));
  expect(typed.sort()).toEqual(files.map((file) => file.replace('.json', '')).sort());
});
