import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { languages } from '../src/base/languages.ts';
import { makeFonts } from './subset-fonts.ts';

const root = join(import.meta.dirname, '..');
const fonts = join(root, 'src', 'ui', 'fonts');
const latin = languages.map(({ code }) => code).filter((code) => code !== 'ar');

/** Code points for which the style sheet uses a file. */
function sentTo(file: string): Set<number> {
  const faces = readFileSync(join(fonts, 'faces.css'), 'utf8').split('@font-face');
  const [, ranges = ''] =
    /unicode-range:([^;]*);/.exec(faces.find((face) => face.includes(`./${file}'`)) ?? '') ?? [];
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

describe.each(['inter', 'fraunces'])('%s', (family) => {
  const first = sentTo(`${family}.woff2`);
  const turkish = sentTo(`${family}-turkish.woff2`);

  test.each(latin)('writes our texts with the files a page begins with: %s', (language) => {
    const files = ['locales', 'text'].flatMap((folder) =>
      globSync(`${folder}/${language}/**/*.{json,md}`, { cwd: root }),
    );
    expect(files.length).toBeGreaterThan(10);
    const said = new Set(
      files.flatMap((file) => Array.from(readFileSync(join(root, file), 'utf8'))),
    );
    const elsewhere = [...said].filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return isDrawn(code) && !first.has(code) && !turkish.has(code);
    });
    expect(elsewhere).toEqual([]);
  });

  test('has a letter for what its first files are asked for', () => {
    for (const [file, codes] of [
      [`${family}.woff2`, first],
      [`${family}-turkish.woff2`, turkish],
    ] as const) {
      const font = create(readFileSync(join(fonts, file)));
      const missing = [...codes].filter(
        (code) => isDrawn(code) && !font.hasGlyphForCodePoint(code),
      );
      expect(missing.map((code) => String.fromCodePoint(code))).toEqual([]);
    }
  });

  test('asks each letter of one file only', () => {
    const parts = ['', '-turkish', '-more', '-extended'].map((part) =>
      sentTo(`${family}${part}.woff2`),
    );
    const all = parts.flatMap((codes) => [...codes]);
    expect(all.length).toBe(new Set(all).size);
    expect(all).toEqual(expect.arrayContaining(Array.from('ÅøŁőẞ', (one) => one.codePointAt(0))));
  });
});
