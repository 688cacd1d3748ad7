/** What of fontkit 2, which comes without types, is used here; @react-pdf hands out its fonts. */
declare module 'fontkit' {
  export type Glyph = { id: number; codePoints: number[] };

  /** A font from the bytes of its file. */
  export function create(file: Uint8Array): Font;

  export type Font = {
    type: string;
    getGlyph(id: number, characters?: number[]): Glyph | null;
    hasGlyphForCodePoint(code: number): boolean;
    glyphForCodePoint(code: number): { advanceWidth: number; path: { toSVG(): string } };
    layout(text: string, ...options: unknown[]): { glyphs: Glyph[] };
  };
}
