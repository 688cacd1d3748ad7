import { Document, Font, Page, Text } from '@react-pdf/renderer';
import { describe, expect, it } from 'vitest';
import { drawPdf, pdfFonts } from './pdf.server.ts';

/** A page of one text. */
const page = (text: string) => (
  <Document>
    <Page style={{ fontFamily: pdfFonts.ltr.text }}>
      <Text>{text}</Text>
    </Page>
  </Document>
);

const inter = () => Font.getFont({ fontFamily: 'Inter', fontWeight: 400 }).data;

describe('a drawn document', () => {
  it('keeps a letter that an earlier document used as a part of another letter', async () => {
    await drawPdf(page('Çağrı, í'));
    const glyphs = inter()?.layout('Cı').glyphs ?? [];
    expect(glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))).toEqual(['C', 'ı']);
  });

  it('draws the French narrow space as a space', async () => {
    await drawPdf(page('Prix : 1 059,00 $'));
    const font = inter();
    const ids = (text: string) => font?.layout(text).glyphs.map(({ id }) => id);
    expect(font?.hasGlyphForCodePoint(0x202f)).toBe(true);
    expect(ids('a\u202fb')).toEqual(ids('a\u00a0b'));
  });

  it('inflates the outlines of a font once, however many letters it takes from it', async () => {
    await drawPdf(page('abc'));
    const font = inter() ?? {};
    const read = (): unknown => Reflect.apply(Reflect.get(font, '_getTableStream'), font, ['glyf']);
    const [one, other] = [read(), read()];
    expect(other).not.toBe(one);
    expect(other).toEqual(one);
    const bytes = (stream: unknown) => Object(stream).buffer;
    expect(bytes(one).length).toBeGreaterThan(10_000);
    expect(bytes(other)).toBe(bytes(one));
  });
});
