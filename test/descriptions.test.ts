import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descriptionOf } from '../src/lab/texts/find-texts.server.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';

/** Namespaces read by travellers; the others are the desk's, or the simulated providers'. */
const travellers = [
  'application',
  'catalog',
  'certificate',
  'change',
  'correction',
  'email',
  'form',
  'information',
  'insurance',
  'payment',
  'receipt',
  'rejection',
  'site',
  'test-mode',
  'ui',
  'visa',
];

const read = (...path: string[]) =>
  JSON.parse(readFileSync(join(projectRoot, 'locales', ...path), 'utf8'));

const flatten = (texts: object, prefix: string): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );

const stem = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');

const texts = readdirSync(join(projectRoot, 'locales', 'en')).flatMap((file) =>
  flatten(read('en', file), `${file.replace('.json', '')}:`).map(([key, text]) => ({
    key: stem(key),
    text,
  })),
);

test('every description is of a text or of a group of texts', () => {
  const described = Object.keys(read('descriptions.json'));
  expect(described.length).toBeGreaterThan(200);
  const gone = described.filter(
    (key) =>
      !texts.some(
        (one) => one.key === key || one.key.startsWith(`${key}.`) || one.key.startsWith(`${key}:`),
      ),
  );
  expect(gone).toEqual([]);
});

test('a text of one or two words that a traveller reads is described, unless it is the label of a field', () => {
  const isLabel = (key: string) =>
    key.includes(':labels.') || key.startsWith('ui:date.') || key === 'application:lost.email';
  const isShort = (text: string) =>
    text
      .replaceAll(/\{\{\w+\}\}/g, '…')
      .trim()
      .split(/\s+/).length <= 2;
  const missing = texts.flatMap(({ key, text }) => {
    const [part = '', name = ''] = key.split(':');
    const isAsked = travellers.includes(part) && isShort(text) && !isLabel(key);
    return isAsked && descriptionOf(part, name) === null ? [`${key}: ${text}`] : [];
  });
  expect(missing).toEqual([]);
});
