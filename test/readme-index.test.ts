import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const section = /\n## Where things are\n(.*)$/s.exec(readme)?.[1] ?? '';

const rows = [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
  .map(([, question = '', place = '']) => ({ question, place }))
  .filter(({ question }) => question !== 'what' && question !== '---');

const inBackticks = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside);

const fileOf = (path: string): string => join(projectRoot, path.replace('<language>', 'en'));

/** "`symbol` in `path`", also with several symbols. */
const SYMBOLS_IN_PATH = /(`[^`]+`(?:, `[^`]+`)*) in `([^`]+)`/g;

const symbols = rows.flatMap(({ place }) =>
  [...place.matchAll(SYMBOLS_IN_PATH)].flatMap(([, named = '', path = '']) =>
    inBackticks(named).map((symbol) => ({ symbol, path })),
  ),
);

/** What stands in backticks in a place and is no symbol. */
const pathsIn = (place: string): string[] =>
  inBackticks(place.replaceAll(SYMBOLS_IN_PATH, (_, __, path: string) => `\`${path}\``));

test('each row of "Where things are" asks another question and names a place', () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter(({ place }) => pathsIn(place).length === 0)).toEqual([]);
  const questions = rows.map(({ question }) => question);
  expect(questions.filter((question, index) => questions.indexOf(question) !== index)).toEqual([]);
});

test('every place that "Where things are" names is there', () => {
  const inQuestions = rows.flatMap(({ question }) => inBackticks(question));
  const paths = [
    ...rows.flatMap(({ place }) => pathsIn(place)),
    // Addresses begin with a slash, commands have spaces.
    ...inQuestions.filter((text) => /^[\w.-]+\/[\w./-]+$/.test(text)),
  ];
  expect(paths.filter((path) => !existsSync(fileOf(path)))).toEqual([]);
});

test('every symbol that "Where things are" names is in its file', () => {
  const wordsIn = (path: string) =>
    existsSync(fileOf(path)) ? readFileSync(fileOf(path), 'utf8').match(/[\w$]+/g) : [];
  const words = new Map(symbols.map(({ path }) => [path, new Set(wordsIn(path))]));
  expect(symbols.length).toBeGreaterThan(200);
  // An address such as `/healthz` and a property such as `--font-sans` count as the last word in them.
  expect(
    symbols.filter(({ symbol, path }) => !words.get(path)?.has(symbol.replace(/^.*[/-]/, ''))),
  ).toEqual([]);
});

test('every link of "Where things are" leads to one of its tables', () => {
  const titles = [...section.matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...section.matchAll(/\]\(#([\w-]+)\)/g)].map(([, link = '']) => link);
  expect(links).toEqual(titles);
});
