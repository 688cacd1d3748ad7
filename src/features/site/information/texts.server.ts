import type { Language } from '~/base/languages.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  type Article,
  figures,
  type ArticleBlock,
  type FigureName,
  type Inline,
} from './article.ts';
import { makeFill } from './fill.ts';
import type { InformationPage } from '../pages.ts';
import { placeholderValues, type SiteFacts } from './values.server.ts';
import { lexer, type Token, type Tokens } from 'marked';

/**
 * Replaces placeholders in a text or an address.
 * @throws Error for an unknown placeholder.
 */
type Fill = (text: string) => string;

const FIGURE = /^\{\{figure\.([\w.]+)\}\}$/;

/**
 * Parses one text: `# title`, a paragraph as lead, then sections under `##`. Only the elements below are allowed.
 * @throws Error for other Markdown, such as HTML and pictures.
 */
export function readArticle(markdown: string, fill: Fill): Article {
  const tokens = lexer(markdown).filter(({ type }) => type !== 'space');
  const [title, lead, ...rest] = tokens;
  if (!isHeading(title, 1)) throw new Error('A text begins with its title');
  if (lead?.type !== 'paragraph') throw new Error('After its title a text has a lead');
  const article: Article = {
    title: fill(title.text),
    lead: inlines(lead.tokens, fill),
    sections: [],
  };
  for (const token of rest) {
    if (isHeading(token, 2)) {
      const id = `section-${article.sections.length + 1}`;
      article.sections.push({ id, title: fill(token.text), blocks: [] });
      continue;
    }
    const section = article.sections.at(-1);
    if (!section) throw new Error('After its lead a text has sections');
    section.blocks.push(block(token, fill));
  }
  return article;
}

const isHeading = (token: Token | undefined, depth: number): token is Tokens.Heading =>
  token?.type === 'heading' && token.depth === depth;

function block(token: Token, fill: Fill): ArticleBlock {
  if (isHeading(token, 3)) return { kind: 'heading', children: inlines(token.tokens, fill) };
  switch (token.type) {
    case 'paragraph': {
      const figure = FIGURE.exec(token.raw.trim())?.[1];
      if (figure !== undefined) return { kind: 'figure', name: figureNamed(figure) };
      return { kind: 'paragraph', children: inlines(token.tokens, fill) };
    }
    case 'blockquote':
      return { kind: 'notice', children: onlyText(token.tokens, fill) };
    case 'list':
      return list(token as Tokens.List, fill);
    case 'table':
      return table(token as Tokens.Table, fill);
    default:
      throw new Error(`A text may not hold this: ${token.raw}`);
  }
}

function list({ ordered, items }: Tokens.List, fill: Fill): ArticleBlock {
  return { kind: 'list', ordered, items: items.map((item) => onlyText(item.tokens, fill)) };
}

function table({ header, rows }: Tokens.Table, fill: Fill): ArticleBlock {
  const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => inlines(tokens, fill));
  return { kind: 'table', head: cells(header), rows: rows.map(cells) };
}

/** The content of a list item or quotation: one paragraph. */
function onlyText(tokens: Token[] | undefined, fill: Fill): Inline[] {
  const [only, second] = tokens ?? [];
  if (!only || second || (only.type !== 'text' && only.type !== 'paragraph')) {
    throw new Error(`One paragraph is expected here: ${only?.raw ?? ''}`);
  }
  return inlines('tokens' in only ? only.tokens : undefined, fill);
}

function inlines(tokens: Token[] | undefined, fill: Fill): Inline[] {
  return (tokens ?? []).map((token): Inline => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return { kind: 'text', text: fill(token.text) };
      case 'strong':
        return { kind: 'strong', children: inlines(token.tokens, fill) };
      case 'link':
        return {
          kind: 'link',
          href: address(token.href, fill),
          children: inlines(token.tokens, fill),
        };
      default:
        throw new Error(`A text may not hold this: ${token.raw}`);
    }
  });
}

/** Allows our own pages, fragments, mailto and https. */
function address(href: string, fill: Fill): string {
  const filled = fill(decodeURI(href));
  if (/^(\/(?!\/)|#|mailto:|https:\/\/)/.test(filled)) return filled;
  throw new Error(`A text may not lead there: ${filled}`);
}

function figureNamed(name: string): FigureName {
  const found = figures.find((figure) => figure === name);
  if (!found) throw new Error(`There is no figure ${name}`);
  return found;
}

const files = import.meta.glob<string>('../../../../text/*/*.md', {
  query: '?raw',
  eager: true,
  import: 'default',
});

/**
 * The text as written.
 * @throws Error where a language lacks the page.
 */
export function informationText(page: InformationPage, language: Language): string {
  const text = files[`../../../../text/${language}/${page}.md`];
  if (text === undefined) throw new Error(`There is no text ${page} in ${language}`);
  return text;
}

/**
 * A page in a language, with its facts filled in.
 * @throws Error for a mistake in the text, which its test finds first.
 */
export function informationArticle(
  page: InformationPage,
  language: Language,
  facts: SiteFacts,
): Article {
  const t = makeTranslate(language, 'information');
  const fill = makeFill(placeholderValues(facts, language), (unit, figure, count) => {
    // The plural form follows the upper end of a range, but the whole range is written.
    const text = t(`units.${unit}`, { count, figure, defaultValue: '' });
    if (text === '') throw new Error(`There is no unit ${unit}`);
    return text;
  });
  return readArticle(informationText(page, language), fill);
}

/** Existing files, for the test that compares them with the list of pages. */
export const textFiles = Object.keys(files).map((path) => path.split('/').slice(-2).join('/'));
