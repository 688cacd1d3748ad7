import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../src/base/languages.ts';
import { makeFonts } from './subset-fonts.ts';

const root = join(import.meta.dirname, '..');
const fonts = join(root, 'src', 'ui', 'fonts');
const latin = languageCodes.filter((code) => code !== 'ar');
const isArabic = /\p{Script=Arabic}|[،؛؟٪]/u;

/** A family's files with their code points in the style sheet, in the order in which browsers ask them for a letter. */
function filesOf(family: string) {
  const faces = readFileSync(join(fonts, 'faces.css'), 'utf8').split('@font-face').toReversed();
  return faces.flatMap((face) => {
    const [, part] =
      new RegExp(`/${family}((?:-(?:accents|turkish|more|extended))?)\\.woff2`).exec(face) ?? [];
    if (part === undefined) return [];
    const font = create(readFileSync(join(fonts, `${family}${part}.woff2`)));
    return [{ part, codes: rangesIn(face), font }];
  });
}

function rangesIn(face: string): Set<number> {
  const [, ranges = ''] = /unicode-range:([^;]*);/.exec(face) ?? [];
  const codes = new Set<number>();
  for (const [, from = '', to = from] of ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)) {
    for (let code = parseInt(from, 16); code <= parseInt(to, 16); code += 1) codes.add(code);
  }
  return codes;
}

/** Excludes what no font draws: spaces, non-breaking hyphens, direction marks. */
const isDrawn = (code: number) => /[^\p{Z}\p{C}\u2010\u2011]/u.test(String.fromCodePoint(code));

test('the fonts and their style sheet are those that the script makes', async () => {
  // Ignores line breaks, which the formatter changes.
  const asMade = (name: string, file: Buffer) =>
    name.endsWith('.css') ? file.toString().replaceAll(/\s+/g, '') : file.toString('base64');
  for (const [name, made] of await makeFonts()) {
    const kept = readFileSync(join(fonts, name));
    const isSame = asMade(name, kept) === asMade(name, Buffer.from(made));
    expect(isSame, `${name}: run scripts/subset-fonts.ts`).toBe(true);
  }
});

/** The files that a browser loads for a character: all whose ranges have it, until one has a letter for it. */
function loadedFor(character: string, files: ReturnType<typeof filesOf>): string[] {
  const code = character.codePointAt(0) ?? 0;
  const asked = files.filter(({ codes }) => codes.has(code));
  const place = asked.findIndex(({ font }) => font.hasGlyphForCodePoint(code));
  return (place < 0 ? asked : asked.slice(0, place + 1)).map(({ part }) => part);
}

/** The characters that our texts in a language have and a font draws. */
function charactersOf(language: string): string[] {
  const sources = ['locales', 'text'].flatMap((folder) =>
    globSync(`${folder}/${language}/**/*.{json,md}`, { cwd: root }),
  );
  expect(sources.length).toBeGreaterThan(10);
  const characters = sources.flatMap((file) => Array.from(readFileSync(join(root, file), 'utf8')));
  return [...new Set(characters)].filter((one) => isDrawn(one.codePointAt(0) ?? 0));
}

describe.each(['inter', 'fraunces'])('%s', (family) => {
  const files = filesOf(family);

  test.each(latin)('writes our texts with the files a page begins with: %s', (language) => {
    // Turkish names stand in texts of all languages.
    const first = ['', '-accents', '-turkish'];
    const elsewhere = charactersOf(language).filter((character) => {
      const loaded = loadedFor(character, files);
      return loaded.length === 0 || loaded.some((part) => !first.includes(part));
    });
    expect(elsewhere).toEqual([]);
  });

  const isInTwo = family === 'inter';
  const before = isInTwo ? [] : [''];
  test.each([
    ['a', ['']],
    ['ü', ['']],
    ['ß', isInTwo ? ['', '-accents'] : ['']],
    ['\u00a0', ['']],
    ['\u2011', ['']],
    ['ğ', [...before, '-turkish']],
    ['Å', ['', '-more']],
    ['™', ['-more']],
    ['Ł', [...before, '-extended']],
    ['ẞ', ['-extended']],
  ])('loads for %s the files %j', (character, parts) => {
    expect(loadedFor(character, files)).toEqual(parts);
  });
});

describe.each(['arabic-400', 'arabic-500', 'arabic-600'])('%s', (family) => {
  const files = filesOf(family);

  test('writes our texts with the file a page begins with', () => {
    const letters = charactersOf('ar').filter((character) => isArabic.test(character));
    expect(letters.length).toBeGreaterThan(30);
    expect(letters.filter((one) => loadedFor(one, files).join() !== '')).toEqual([]);
  });

  test.each([
    ['ش', ['']],
    ['٣', ['']],
    ['پ', ['-more']],
    ['a', []],
  ])('loads for %s the files %j', (character, parts) => {
    expect(loadedFor(character, files)).toEqual(parts);
  });
});
