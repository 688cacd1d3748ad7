/**
 * Makes the fonts of the pages and their style sheet in `src/ui/fonts`: Inter and Fraunces at the weights and sizes in
 * use. Letters of our own texts come first; further letters of names are in files of their own, which a browser loads
 * when a page has such a letter. Run after changing the ranges here: `node scripts/subset-fonts.ts`; the results are
 * committed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const root = join(import.meta.dirname, '..');
const target = join(root, 'src', 'ui', 'fonts');

/** Code points, both ends included. */
const span = (from: number, to = from) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const codesOf = (characters: string) => Array.from(characters, (one) => one.codePointAt(0) ?? 0);
const without = (codes: readonly number[], others: readonly number[]) =>
  codes.filter((code) => !others.includes(code));

/** Letters of our texts in English, German, French and Spanish, and most of Turkish. */
const western = [
  ...span(0x20, 0x7e),
  ...codesOf('¡¿«»“”„‘’‚–—…·•©®°ºª×€'),
  ...codesOf('ÀÁÂÃÄÇÈÉÊËÍÎÏÑÓÔÖÙÚÛÜàáâãäçèéêëíîïñóôöùúûüÿßıŒœ'),
  // Spaces, hyphens and direction marks, also those without a glyph, so that no page loads another file for them.
  0xa0,
  0xad,
  ...span(0x2000, 0x2011),
  ...span(0x2028, 0x202f),
  ...span(0x2060, 0x206f),
];
/** In another file of the sources. */
const turkish = codesOf('ĞğİŞş');
/** The ranges of the sources. */
const latin = [
  ...span(0xa0, 0xff),
  ...codesOf('\u02bb\u02bc\u02c6\u02da\u02dc\u0304\u0308\u0329'),
  ...span(0x2000, 0x206f),
  ...codesOf('™↑↓−∕'),
];
const extended = [
  ...span(0x100, 0x2ff),
  ...span(0x1d00, 0x1dbf),
  ...span(0x1e00, 0x1e9f),
  ...span(0x1ef2, 0x1eff),
  ...span(0x20a0, 0x20c0),
  ...span(0x2113),
  ...span(0x2c60, 0x2c7f),
  ...span(0xa720, 0xa7ff),
];

type Characters = { name: string; subset: 'latin' | 'latin-ext'; codes: readonly number[] };
const all: readonly Characters[] = [
  { name: '', subset: 'latin', codes: western },
  { name: '-turkish', subset: 'latin-ext', codes: turkish },
  { name: '-more', subset: 'latin', codes: without(latin, western) },
  {
    name: '-extended',
    subset: 'latin-ext',
    codes: without(extended, [...western, ...turkish, ...latin]),
  },
];

type Axes = Readonly<Record<string, number | { min: number; max: number }>>;
type Family = { name: string; weight: string; axes: Axes; sets: readonly Characters[] };

/** Family names in the style sheets, by folder of the sources. */
const families: Readonly<Record<string, readonly Family[]>> = {
  inter: [{ name: 'inter', weight: '400 600', axes: { wght: { min: 400, max: 600 } }, sets: all }],
  fraunces: [
    // From the smallest heading to the largest.
    {
      name: 'fraunces',
      weight: '600',
      axes: { wght: 600, opsz: { min: 20, max: 60 } },
      sets: all,
    },
    // The large figures of the three steps.
    {
      name: 'fraunces-figures',
      weight: '400',
      axes: { wght: 400, opsz: { min: 44, max: 66 } },
      sets: [{ name: '', subset: 'latin', codes: codesOf('0123456789') }],
    },
  ],
};
const names = { inter: 'Inter Variable', fraunces: 'Fraunces Variable' } as const;
const sources = { inter: 'wght', fraunces: 'opsz' } as const;

/** Features that browsers apply by default, and the kinds of figures that style sheets use. */
const keepFeatures = 'calt ccmp clig kern liga locl mark mkmk rclt rlig rvrn lnum tnum'.split(' ');

/** Every file by its name: the fonts, and `faces.css`. */
export async function makeFonts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const made = new Map<string, Uint8Array>();
  const faces: string[] = [];
  for (const source of ['inter', 'fraunces'] as const) {
    for (const { name, weight, axes, sets } of families[source] ?? []) {
      for (const { name: part, subset, codes } of sets) {
        const path = `${source}/files/${source}-${subset}-${sources[source]}-normal.woff2`;
        const whole = readFileSync(join(root, 'node_modules', '@fontsource-variable', path));
        const file = `${name}${part}.woff2`;
        const options = { targetFormat: 'woff2', keepFeatures, variationAxes: axes } as const;
        made.set(file, await subsetFont(whole, String.fromCodePoint(...codes), options));
        faces.push(face(names[source], weight, file, codes));
      }
    }
  }
  const head = '/* Made by `scripts/subset-fonts.ts`. */\n';
  return made.set('faces.css', Buffer.from(head + faces.join('\n')));
}

const face = (family: string, weight: string, file: string, codes: readonly number[]) =>
  `@font-face {
  font-family: '${family}';
  font-display: swap;
  font-weight: ${weight};
  src: url('./${file}') format('woff2');
  unicode-range: ${inRanges(codes)};
}
`;

/** Code points as style sheets write them: `U+0020-007E, U+00A0`. */
function inRanges(codes: readonly number[]): string {
  const sorted = [...new Set(codes)].toSorted((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const code of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, '0');
  return ranges.map(([from, to]) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ''}`).join(', ');
}

if (import.meta.main) {
  mkdirSync(target, { recursive: true });
  for (const [name, file] of await makeFonts()) {
    writeFileSync(join(target, name), file);
    console.log(`${name}: ${file.length} bytes`);
  }
}
