import type { Language } from '~/base/languages.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Article } from './article.ts';
import { makeFill } from './fill.ts';
import type { InformationPage } from '../pages.ts';
import { readArticle } from './read-article.server.ts';
import { valuesFor, type Facts } from './values.server.ts';

const files = import.meta.glob<string>('../../../../text/*/*.md', {
  query: '?raw',
  eager: true,
  import: 'default',
});

/**
 * The text as written.
 * @throws Error where a language lacks the page.
 */
export function textOf(page: InformationPage, language: Language): string {
  const text = files[`../../../../text/${language}/${page}.md`];
  if (text === undefined) throw new Error(`There is no text ${page} in ${language}`);
  return text;
}

/**
 * A page in a language, with its facts filled in.
 * @throws Error for a mistake in the text, which its test finds first.
 */
export function articleOf(page: InformationPage, language: Language, facts: Facts): Article {
  const t = textsIn(language, 'information');
  const fill = makeFill(valuesFor(facts, language), (unit, figure, count) => {
    // The plural form follows the upper end of a range, but the whole range is written.
    const text = t(`units.${unit}`, { count, figure, defaultValue: '' });
    if (text === '') throw new Error(`There is no unit ${unit}`);
    return text;
  });
  return readArticle(textOf(page, language), fill);
}

/** Existing files, for the test that compares them with the list of pages. */
export const textFiles = Object.keys(files).map((path) => path.split('/').slice(-2).join('/'));
