import { join } from 'node:path';
import { Font, type DocumentProps } from '@react-pdf/renderer';
import type { ReactElement } from 'react';
import { patchFontkit } from './pdf-glyphs.server.ts';
import { drawTagged } from './pdf-tags.server.ts';
import { projectRoot } from '../config/root.server.ts';

/** The static fonts beside the site's variable ones: documents take WOFF only. */
const fontFile = (font: string, subset: string, weight: number) =>
  join(
    projectRoot,
    'node_modules/@fontsource',
    font,
    'files',
    `${font}-${subset}-${weight}-normal.woff`,
  );

/**
 * A family for each subset: a document names them in order, and each letter is taken from the first that has it. What is
 * listed first decides the Latin letters too, so a document in Arabic names its Arabic family first.
 */
const families: readonly [
  family: string,
  font: string,
  subset: string,
  weights: readonly number[],
][] = [
  ['Inter', 'inter', 'latin', [400, 500, 600]],
  ['InterExt', 'inter', 'latin-ext', [400, 500, 600]],
  ['InterVietnamese', 'inter', 'vietnamese', [400, 500, 600]],
  // Nobody's name needs these, as passports are in Latin letters; what people wrote may.
  ['InterCyrillic', 'inter', 'cyrillic', [400]],
  ['InterGreek', 'inter', 'greek', [400]],
  ['Arabic', 'ibm-plex-sans-arabic', 'arabic', [400, 500, 600]],
  ['Fraunces', 'fraunces', 'latin', [600]],
  ['FrauncesExt', 'fraunces', 'latin-ext', [600]],
  ['Mono', 'ibm-plex-mono', 'latin', [500]],
];

for (const [family, font, subset, weights] of families) {
  Font.register({
    family,
    fonts: weights.map((fontWeight) => ({ src: fontFile(font, subset, fontWeight), fontWeight })),
  });
}
// Nothing is hyphenated: names, numbers and dates must not be broken.
Font.registerHyphenationCallback((word) => [word]);

const otherScripts = ['InterCyrillic', 'InterGreek'];

/** Families for running text and for headings, by reading direction. */
export const pdfFonts = {
  ltr: {
    text: ['Inter', 'InterExt', 'InterVietnamese', 'Arabic', ...otherScripts],
    heading: ['Fraunces', 'FrauncesExt', 'InterVietnamese'],
  },
  rtl: {
    text: ['Arabic', 'Inter', 'InterExt', 'InterVietnamese', ...otherScripts],
    heading: ['Arabic', 'Inter', 'InterExt', 'InterVietnamese'],
  },
  /** For one word at a time: fontkit 2 cannot read this font's space. */
  mono: ['Mono'],
};

let isReady: Promise<void> | null = null;

/** Reads the fonts from the disk, once in a process, and mends them before the first use. */
async function readyFonts(): Promise<void> {
  for (const [fontFamily, , , weights] of families) {
    for (const fontWeight of weights) {
      await Font.load({ fontFamily, fontWeight });
      const { data } = Font.getFont({ fontFamily, fontWeight });
      if (data) patchFontkit(data);
    }
  }
}

/** Draws a document. It is pure computing, up to half a second of it on a busy machine. */
export async function drawPdf(document: ReactElement<DocumentProps>): Promise<Buffer> {
  await (isReady ??= readyFonts());
  return drawTagged(document);
}
