import layOut from '@react-pdf/layout';
import draw from '@react-pdf/render';
import { Font, pdf, type DocumentProps } from '@react-pdf/renderer';
import { buffer } from 'node:stream/consumers';
import PdfFile from 'pdfkit';
import type { PdfElement } from 'pdfkit';
import type { ReactElement } from 'react';
import { join } from 'node:path';
import { projectRoot } from '../config/root.server.ts';

/** What a part of a document is (ISO 32000-1, 14.8.4): parts hold parts, the others text. */
type PartTag = 'L' | 'LI' | 'LBody' | 'Table' | 'TR' | 'TD' | 'TH';
type TextTag = 'H1' | 'H2' | 'H3' | 'P' | 'Lbl' | 'Figure' | 'Link';

declare module '@react-pdf/renderer' {
  interface NodeProps {
    /** What it is to those who do not see it. Text is a paragraph without it, all else decoration. */
    tag?: PartTag | TextTag | 'Artifact';
    /** The text that it shows, where that is drawn in pieces. */
    actual?: string;
    /** What a figure shows. */
    alt?: string;
    /** Of a TH: the cells it names. */
    scope?: 'Row' | 'Column';
    /** Of a cell: the columns it takes. */
    columns?: number;
  }
}

/** What of a node of the library is read here. */
type PdfNode = {
  type: string;
  value?: string;
  props?: {
    tag?: PartTag | TextTag | 'Artifact';
    actual?: string;
    alt?: string;
    scope?: 'Row' | 'Column';
    columns?: number;
    src?: string;
    paint?: () => void;
  };
  box?: object;
  style?: object;
  children?: PdfNode[];
};

const PARTS: ReadonlySet<string> = new Set<PartTag>([
  'L',
  'LI',
  'LBody',
  'Table',
  'TR',
  'TD',
  'TH',
]);
const byType: Readonly<Record<string, TextTag | 'Artifact'>> = {
  TEXT: 'P',
  LINK: 'Link',
  SVG: 'Artifact',
};
const ARABIC = /\p{Script=Arabic}/u;
const DIRECTION_MARKS = /[\u200e\u200f\u2066-\u2069]/g;

/** A file in which what is linked belongs to an element. */
class TaggedFile extends PdfFile {
  openLink: PdfElement | null = null;

  override link(...[left, top, width, height, address]: Parameters<PdfFile['link']>): this {
    // pdfkit writes a text as a name, and the object of a text as a text.
    const options = this.openLink && { structParent: this.openLink, Contents: Object(address) };
    return super.link(left, top, width, height, address, options ?? {});
  }
}

/**
 * Draws a document with its structure tree, which the library does not make: what is laid out gets, before and behind
 * each text, a node that draws nothing and writes the mark. Whatever stands outside a text is marked as decoration.
 */
async function drawTagged(element: ReactElement<DocumentProps>): Promise<Buffer> {
  const { document }: { document: { props: DocumentProps } } = pdf(element).container;
  const { title, author, creationDate, language } = document.props;
  const file = new TaggedFile({
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    autoFirstPage: false,
    ...(language && { lang: language }),
    info: {
      ...(title && { Title: title }),
      ...(author && { Author: author }),
      ...(creationDate && { CreationDate: creationDate }),
      Creator: 'Lale',
      Producer: 'Lale',
    },
  });
  const laidOut: PdfNode = await Reflect.apply(layOut, undefined, [document, Font]);
  Reflect.apply(draw, undefined, [file, withMarks(file, laidOut)]);
  return buffer(file);
}

function withMarks(file: TaggedFile, document: PdfNode): PdfNode {
  const root = file.struct('Document');
  file.addStructure(root);
  /** By what a node was given: a node that goes on over the next page is given the same there. */
  const elements = new Map<unknown, PdfElement>();
  const lastIn = new Map<PdfElement, { tag: string; element: PdfElement }>();
  const elementOf = (node: PdfNode, tag: string, parent: PdfElement): PdfElement => {
    const before = lastIn.get(parent);
    // A list that follows a list goes on with it: a heading may keep the first entry of its list to itself.
    const known =
      elements.get(node.props) ?? (tag === 'L' && before?.tag === 'L' ? before.element : null);
    if (known) return known;
    const { actual, alt, scope, columns } = node.props ?? {};
    const text = actual ?? (isRun(node, tag) ? textOf(node) : '');
    const made = file.struct(tag, {
      ...(alt && { alt }),
      ...(scope && { scope }),
      // Arabic is drawn from left to right, in the shapes that letters take beside each other.
      ...((actual || ARABIC.test(text)) && { actual: text.replace(DIRECTION_MARKS, '') }),
    });
    if (columns)
      made.dictionary.data.A = { ...made.dictionary.data.A, O: 'Table', ColSpan: columns };
    if (tag === 'Link') {
      const paragraph = file.struct('P');
      parent.add(paragraph);
      paragraph.add(made);
    } else parent.add(made);
    lastIn.set(parent, { tag, element: made });
    elements.set(node.props, made);
    return made;
  };

  const mark = (paint: () => void): PdfNode => ({
    type: 'CANVAS',
    box: { left: 0, top: 0, width: 1, height: 1 },
    style: {},
    props: { paint },
  });
  const decorate = () => file.markContent('Artifact');

  /** The node as one run of content of an element. */
  const marked = (node: PdfNode, tag: string, element: PdfElement): PdfNode[] => {
    const isLink = node.props?.src !== undefined;
    return [
      mark(() => {
        file.endMarkedContent();
        element.add(file.markStructureContent(tag));
        if (isLink) file.openLink = element;
      }),
      node,
      mark(() => {
        file.openLink = null;
        file.endMarkedContent();
        decorate();
      }),
    ];
  };

  const visit = (node: PdfNode, parent: PdfElement): PdfNode[] => {
    const tag = node.props?.tag ?? byType[node.type];
    if (tag === 'Artifact') return [node];
    const element = tag ? elementOf(node, tag, parent) : parent;
    if (tag && isRun(node, tag)) return marked(node, tag, element);
    return [{ ...node, children: node.children?.flatMap((child) => visit(child, element)) ?? [] }];
  };

  const pages = document.children?.map((page) => ({
    ...page,
    children: [
      mark(decorate),
      ...(page.children?.flatMap((child) => visit(child, root)) ?? []),
      mark(() => file.endMarkedContent()),
    ],
  }));
  return { ...document, children: pages ?? [] };
}

/** Whether a node is one run of text, and no part that holds others. */
const isRun = ({ type, props }: PdfNode, tag: string): boolean =>
  type === 'TEXT' || props?.actual !== undefined || !PARTS.has(tag);

const textOf = ({ value, children = [] }: PdfNode): string =>
  value ?? children.map(textOf).join('');

type FontkitFont = NonNullable<ReturnType<(typeof Font)['getFont']>['data']>;

const NARROW_NO_BREAK_SPACE = /\u202f/g;
const NO_BREAK_SPACE = '\u00a0';

const EMPTY_BOX = Object.freeze({ minX: 0, minY: 0, maxX: 0, maxY: 0, width: 0, height: 0 });

/** In a TrueType font (`loca` says where each outline begins) it begins where the next one does. */
function isWithoutOutline(font: FontkitFont, id: number): boolean {
  const loca: unknown = Reflect.get(font, 'loca');
  if (typeof loca !== 'object' || loca === null || !('offsets' in loca)) return false;
  const { offsets } = loca;
  return Array.isArray(offsets) && offsets[id] === offsets[id + 1];
}

/**
 * Inflates a table of the font's file once: fontkit 2 does it anew, in JavaScript, for each letter that a document takes
 * from the font, twice. Every reader gets a stream of its own, as before.
 */
function keepTables(font: FontkitFont): void {
  const read: unknown = Reflect.get(font, '_getTableStream');
  if (typeof read !== 'function') throw new Error('A font without tables');
  const kept = new Map<string, object>();
  const streamOf = (tag: string): unknown => {
    const known = kept.get(tag);
    if (known) return Reflect.construct(known.constructor, [Reflect.get(known, 'buffer')]);
    const stream: unknown = Reflect.apply(read, font, [tag]);
    // A font that is not compressed is read from the file itself.
    const isInflated = typeof stream === 'object' && stream !== Reflect.get(font, 'stream');
    if (stream && isInflated) kept.set(tag, stream);
    return stream;
  };
  Object.defineProperty(font, '_getTableStream', { value: streamOf });
}

/**
 * Mends three things in a font of fontkit 2, once, before anything is drawn with it.
 *
 * A letter that is part of another (C of Ç, ı of í) may be read for that other one first; fontkit then keeps it as a glyph
 * of no character, for as long as the process runs, and the layout loses it: "Çağrı" on one page takes the C of "C’est" on
 * the next. Here a glyph learns its characters from the first text that asks for it.
 *
 * A glyph without an outline (a mark that directs the text) has no header to read its box from; where it is the last one
 * of its font, fontkit reads beyond the end and throws. Here its box is empty.
 *
 * And the French narrow space, which our fonts do not have, becomes the wider one, which they do.
 */
function patchFontkit(font: FontkitFont): void {
  keepTables(font);
  const glyphOf = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const glyph = glyphOf(id, characters);
    if (glyph && glyph.codePoints.length === 0 && characters.length > 0) {
      glyph.codePoints = [...characters];
    }
    if (glyph && isWithoutOutline(font, id)) {
      Object.defineProperty(glyph, '_getCBox', { value: () => EMPTY_BOX, configurable: true });
    }
    return glyph;
  };
  const hasGlyph = font.hasGlyphForCodePoint.bind(font);
  font.hasGlyphForCodePoint = (code) => hasGlyph(code === 0x202f ? 0xa0 : code);
  const layOut = font.layout.bind(font);
  font.layout = (text, ...rest) =>
    layOut(text.replaceAll(NARROW_NO_BREAK_SPACE, NO_BREAK_SPACE), ...rest);
}

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
