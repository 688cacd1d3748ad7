import { Document, Font, Link, Page, Text, View } from '@react-pdf/renderer';
import { getDocumentProxy } from 'unpdf';
import type { ReactNode } from 'react';
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

/** The structure tree of each page, as a list of tags; a number is a run of the page's content. */
async function treesOf(pdf: Buffer) {
  const file = await getDocumentProxy(new Uint8Array(pdf));
  const trees: unknown[] = [];
  for (let number = 1; number <= file.numPages; number += 1) {
    const root: Part = await (await file.getPage(number)).getStructTree();
    trees.push(tagsOf(root.children));
  }
  return trees;
}

type Part = { role?: string; id?: string; children?: Part[] };
const tagsOf = (parts: readonly Part[] = []): unknown[] =>
  parts.map(({ role, children }) => (role ? [role, ...tagsOf(children)] : 'content'));

const documentOf = (children: ReactNode) => (
  <Document>
    <Page size={[200, 200]} style={{ fontFamily: pdfFonts.ltr.text }}>
      {children}
    </Page>
  </Document>
);

describe('the structure tree', () => {
  it('has one paragraph for a text that goes on over the next page', async () => {
    const pdf = await drawPdf(documentOf(<Text>{'word '.repeat(150)}</Text>));
    const [first, second] = await treesOf(pdf);
    expect(first).toEqual([['Document', ['P', 'content']]]);
    expect(second).toEqual([['Document', ['P', 'content']]]);
    expect(pdf.toString('latin1').match(/\/S \/P\b/g)).toHaveLength(1);
  });

  it('has one list for entries that stand in two views', async () => {
    const list = (
      <View tag="L">
        <Text tag="LI">one</Text>
      </View>
    );
    const [tree] = await treesOf(await drawPdf(documentOf([<View key="1">{list}</View>, list])));
    expect(tree).toEqual([['Document', ['L', ['LI', 'content'], ['LI', 'content']]]]);
  });

  it('has a link with its address and its place on the page', async () => {
    const link = (
      <Link src="https://lale.example/terms">
        <Text>Terms</Text>
      </Link>
    );
    const pdf = await drawPdf(documentOf(link));
    const text = pdf.toString('latin1');
    expect(text).toContain('/Contents (https://lale.example/terms)');
    expect(text).toMatch(/\/Type \/OBJR/);
    expect(await treesOf(pdf)).toEqual([[['Document', ['P', ['Link', 'content', 'content']]]]]);
  });

  it('leaves out what is decoration', async () => {
    const decorated = (
      <View style={{ borderBottom: '1 solid #000' }}>
        <Text tag="Artifact">2</Text>
      </View>
    );
    const pdf = await drawPdf(documentOf(decorated));
    expect(await treesOf(pdf)).toEqual([[]]);
  });
});
