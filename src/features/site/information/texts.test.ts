import { describe, expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { plans } from '~/features/insurance/plans.ts';
import type { Article, Block, Inline } from './article.ts';
import { informationPages, relatedPages } from './pages.ts';
import { articleOf, textFiles, textOf } from './texts.server.ts';
import type { Facts } from './values.ts';

const codes = languages.map(({ code }) => code);
const facts: Facts = {
  operator: {
    legalName: 'Operator Ltd',
    address: '1 Street, Town',
    taxNumber: '000',
    supportEmail: 'support@operator.example',
    supportPhone: '+000',
  },
  countries: referenceCountries,
  plans,
};

const written = (parts: readonly Inline[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : written(part.children))).join('');

function blockText(block: Block): string {
  switch (block.kind) {
    case 'list':
      return block.items.map(written).join('\n');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(written).join(' | ')).join('\n');
    case 'figure':
      return '';
    default:
      return written(block.children);
  }
}

const plainText = ({ title, lead, sections }: Article): string =>
  [title, written(lead), ...sections.flatMap((one) => [one.title, ...one.blocks.map(blockText)])]
    .join('\n')
    .replace(/[\u2066-\u2069]/g, '')
    .replaceAll('\u2011', '-');

test('every page has a text in every language, and nothing else is there', () => {
  const wanted = codes.flatMap((code) => informationPages.map((page) => `${code}/${page}.md`));
  expect(textFiles.toSorted()).toEqual(wanted.toSorted());
});

describe.each(informationPages)('the text of %s', (page) => {
  const shape = (code: (typeof codes)[number]) => {
    const { lead, sections } = articleOf(page, code, facts);
    return { links: linksOf(lead), sections: sections.map(({ blocks }) => blocks.map(shapeOf)) };
  };

  test.each(codes)('finds every value in %s', (code) => {
    const text = plainText(articleOf(page, code, facts));
    expect(text).not.toMatch(/\{\{|\}\}|undefined|NaN/);
  });

  test.each(codes)('has the same sections, lists, tables and links in %s', (code) => {
    expect(shape(code)).toEqual(shape('en'));
  });

  test.each(codes)('uses the same values in %s', (code) => {
    const names = (text: string) =>
      [...new Set(text.match(/(?<=\{\{\s*)[\w.]+/g) ?? [])].toSorted();
    expect(names(textOf(page, code))).toEqual(names(textOf(page, 'en')));
  });

  test.each(codes)('types no figure that has a place in the code, in %s', (code) => {
    const prose = textOf(page, code)
      .replace(/\{\{[^}]*\}\}/g, '')
      .replace(/^\d\. /gm, '')
      // Names that hold figures: laws, their articles, ciphers.
      .replace(/6698|6458|AES-256|Argon2/g, '')
      .replace(/\(?(Art\.|art\.|Article|article|artículo|Artikel|madde|المادة) ?\d+/g, '')
      .replace(/\b(5|11|13|14)\. madde\w*/g, '');
    expect(prose.match(/.*\d.*/g) ?? []).toEqual([]);
  });
});

const linksOf = (parts: readonly Inline[]): string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'text') return [];
    return [...(part.kind === 'link' ? [part.href] : []), ...linksOf(part.children)];
  });

function shapeOf(block: Block) {
  switch (block.kind) {
    case 'list':
      return { kind: block.kind, items: block.items.length, links: block.items.flatMap(linksOf) };
    case 'table':
      return { kind: block.kind, rows: block.rows.length, cells: block.head.length };
    case 'figure':
      return block;
    default:
      return { kind: block.kind, links: linksOf(block.children).toSorted() };
  }
}

test('related pages do not lead back to the page', () => {
  for (const page of informationPages) expect(relatedPages[page]).not.toContain(page);
});
