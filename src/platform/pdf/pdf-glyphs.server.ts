import type { Font } from '@react-pdf/renderer';

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
export function patchFontkit(font: FontkitFont): void {
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
