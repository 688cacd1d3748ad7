/**
 * Makes the fonts of the pages and their style sheet in `src/ui/fonts`: Inter, Fraunces and IBM Plex Sans Arabic at the
 * weights and sizes in use. Letters of our own texts come first; further letters of names are in files of their own, which a browser loads
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

/**
 * Letters of our texts in English: as many as come, with the answer's headers, in the first 14,600 bytes of a new
 * connection, since the text is seen a round trip later where there are more.
 */
const english = [
  ...codesOf(' !"#$%&\'()*+,-./:;=?@[]_'),
  ...span(0x30, 0x39),
  ...span(0x41, 0x5a),
  ...span(0x61, 0x7a),
  ...codesOf('“”‘’–…·©€üçñé'),
  // Spaces, hyphens and direction marks, also those without a glyph, so that no page loads another file for them.
  0xa0,
  0xad,
  ...span(0x2000, 0x2011),
  ...span(0x2028, 0x202f),
  ...span(0x2060, 0x206f),
];
/** Letters of our texts in German, French and Spanish, and most of Turkish. */
const western = [
  ...english,
  ...span(0x20, 0x7e),
  ...codesOf('¡¿«»„‚—•®°ºª×'),
  ...codesOf('ÀÁÂÃÄÇÈÉÊËÍÎÏÑÓÔÖÙÚÛÜàáâãäèêëíîïóôöùúûÿßıŒœ'),
].filter((code, place, codes) => codes.indexOf(code) === place);
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

/** Letters, marks, punctuation and digits of Arabic; those of Persian, Urdu and others are in a second file. */
const arabic = [
  ...codesOf('،؛؟٪٫٬٭ـ'),
  ...span(0x621, 0x63a),
  ...span(0x641, 0x652),
  ...span(0x660, 0x669),
  ...span(0x200c, 0x200e),
];
const furtherArabic = without([...span(0x600, 0x6ff), ...span(0x750, 0x77f)], arabic);

/** The first set is that of the file which every page of its language loads. */
type Characters = { name: string; subset: string; codes: readonly number[] };
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
const inTwo: readonly Characters[] = [
  { name: '', subset: 'latin', codes: english },
  { name: '-accents', subset: 'latin', codes: without(western, english) },
  ...all.slice(1),
];
const arabicSets: readonly Characters[] = [
  { name: '', subset: 'arabic', codes: arabic },
  { name: '-more', subset: 'arabic', codes: furtherArabic },
];

type Axes = Readonly<Record<string, number | { min: number; max: number }>>;
type Family = {
  name: string;
  weight: string;
  axes?: Axes;
  sets: readonly Characters[];
  /** The file of a subset within the packages of `@fontsource` and `@fontsource-variable`. */
  source: (subset: string) => string;
};
const inter = (subset: string) => `@fontsource-variable/inter/files/inter-${subset}-wght-normal`;
const fraunces = (subset: string) =>
  `@fontsource-variable/fraunces/files/fraunces-${subset}-opsz-normal`;

/** By the family's name in the style sheets. */
const families: Readonly<Record<string, readonly Family[]>> = {
  'Inter Variable': [
    {
      name: 'inter',
      weight: '400 600',
      axes: { wght: { min: 400, max: 600 } },
      sets: inTwo,
      source: inter,
    },
  ],
  'Fraunces Variable': [
    // Drawn for one size between the smallest heading and the largest.
    {
      name: 'fraunces',
      weight: '600',
      axes: { wght: 600, opsz: 36 },
      sets: all,
      source: fraunces,
    },
    // The large figures of the three steps.
    {
      name: 'fraunces-figures',
      weight: '400',
      axes: { wght: 400, opsz: { min: 44, max: 66 } },
      sets: [{ name: '', subset: 'latin', codes: codesOf('0123456789') }],
      source: fraunces,
    },
  ],
  'IBM Plex Sans Arabic': ['400', '500', '600'].map((weight) => ({
    name: `arabic-${weight}`,
    weight,
    sets: arabicSets,
    source: (subset) =>
      `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-${subset}-${weight}-normal`,
  })),
};

/** Features that browsers apply by default, and the kinds of figures that style sheets use. */
const keepFeatures =
  'ccmp clig kern liga locl mark mkmk rclt rlig rvrn lnum tnum init medi fina isol'.split(' ');

/** Every file by its name: the fonts, and `faces.css`. */
export async function makeFonts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const made = new Map<string, Uint8Array>();
  const faces: string[] = [];
  for (const [family, files] of Object.entries(families)) {
    for (const { name, weight, axes, sets, source } of files) {
      // Of several faces with a letter, browsers ask the last one first.
      for (const { name: part, subset, codes } of sets.toReversed()) {
        const whole = readFileSync(join(root, 'node_modules', `${source(subset)}.woff2`));
        const file = `${name}${part}.woff2`;
        const options = {
          targetFormat: 'woff2',
          keepFeatures,
          ...(axes ? { variationAxes: axes } : {}),
        } as const;
        made.set(file, await subsetFont(whole, String.fromCodePoint(...codes), options));
        faces.push(face(family, weight, file, rangesOf(sets, codes)));
      }
    }
  }
  const head = '/* Made by `scripts/subset-fonts.ts`. */\n';
  return made.set('faces.css', Buffer.from(head + faces.join('\n')));
}

/**
 * The ranges of a file, as few as possible: they also name letters of files that are asked before it, and those of the
 * first file, which every page loads, any letter, as one that a file does not have is looked for in the next.
 */
function rangesOf(sets: readonly Characters[], codes: readonly number[]): string {
  const place = sets.findIndex((one) => one.codes === codes);
  const others = place === 0 ? sets : sets.slice(0, place);
  return inRanges(codes, new Set(others.flatMap((one) => one.codes)));
}

const face = (family: string, weight: string, file: string, ranges: string) =>
  `@font-face {
  font-family: '${family}';
  font-display: swap;
  font-weight: ${weight};
  src: url('./${file}') format('woff2');
  unicode-range: ${ranges};
}
`;

/** Code points as style sheets write them: `U+0020-007E, U+00A0`. Ranges may reach over the codes of `between`. */
function inRanges(codes: readonly number[], between: ReadonlySet<number>): string {
  const sorted = [...new Set(codes)].toSorted((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const code of sorted) {
    const last = ranges.at(-1);
    if (last && span(last[1] + 1, code - 1).every((one) => between.has(one))) last[1] = code;
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
