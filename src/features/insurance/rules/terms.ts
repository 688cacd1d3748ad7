import * as z from 'zod/mini';
import { type Language, languageCodes } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(400));

/** Longest wording of a policy in one language, in characters. */
export const MAX_WORDING_LENGTH = 60_000;
const wording = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_WORDING_LENGTH));

/** By language code; where a language is missing, the English text is shown. */
const translatedOf = <Text extends typeof text>(one: Text) =>
  z.intersection(z.object({ en: one }), z.partialRecord(z.enum(languageCodes), one));
const translated = translatedOf(text);
const translatedWording = translatedOf(wording);
export type TranslatedText = z.output<typeof translated>;

/**
 * One line of what is covered. Lines of older sample terms have no text of their own: theirs is
 * `insurance:cover.<code>`.
 */
export const cover = z.object({
  code: z.string().check(z.regex(/^[a-z0-9_]{1,40}$/)),
  title: z.nullable(translated),
  /** The maximum paid, as the policy words it. Null in older sample terms. */
  limit: z.nullable(translated),
});
export type Cover = z.output<typeof cover>;

/** What an administrator enters about the insurance on sale. Null occurs in older sample terms only. */
export const publishedTerms = z.object({
  isSample: z.boolean(),
  /** Legal name. */
  insurer: z.nullable(text),
  address: z.nullable(text),
  /** Licence or registration; null where the insurer needs none. */
  licence: z.nullable(text),
  assistancePhone: z.nullable(text),
  /** Where to complain: a postal address, an email address or a page. */
  complaintContact: z.nullable(text),
  covers: z.array(cover).check(z.minLength(1), z.maxLength(12)),
  /** The policy's wording, in paragraphs. */
  wording: z.nullable(translatedWording),
});
export type PublishedTerms = z.output<typeof publishedTerms>;
export type Terms = PublishedTerms & { version: number };

export const translatedText = (texts: TranslatedText, language: Language): string =>
  texts[language] ?? texts.en;

export const coverTitle = (
  { title, code }: Cover,
  language: Language,
  t: Translate<'insurance'>,
): string => (title ? translatedText(title, language) : t(`cover.${code}`, code));

export const coverLimit = (
  { limit }: Cover,
  language: Language,
  t: Translate<'insurance'>,
): string => (limit ? translatedText(limit, language) : t('terms.limitOpen'));
