import * as z from 'zod/mini';
import type { Language } from '~/base/languages.ts';

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(400));
/** By language code; a language that is missing shows the English text. */
const translated = z.object({
  en: text,
  tr: z.optional(text),
  fr: z.optional(text),
  de: z.optional(text),
  es: z.optional(text),
  ar: z.optional(text),
});

/** One line of what is covered. A sample line has no words of its own: they are `insurance:cover.<code>`. */
export const cover = z.object({
  code: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  title: z.nullable(translated),
  /** Null until the operator knows it. */
  limit: z.nullable(translated),
});
export type Cover = z.output<typeof cover>;

/** What an operator publishes. Whatever the policy does not say yet is null and shown as an open place. */
export const publishedTerms = z.object({
  isSample: z.boolean(),
  insurer: z.nullable(text),
  licence: z.nullable(text),
  assistancePhone: z.nullable(text),
  covers: z.array(cover).check(z.minLength(1), z.maxLength(12)),
});
export type PublishedTerms = z.output<typeof publishedTerms>;
export type Terms = PublishedTerms & { version: number };

/** What stands there before an operator has published anything; names no insurer, promises no sum. */
export const sampleTerms: PublishedTerms = {
  isSample: true,
  insurer: null,
  licence: null,
  assistancePhone: null,
  covers: ['medical', 'evacuation', 'baggage'].map((code) => ({ code, title: null, limit: null })),
};

type Translate = (key: string) => string;

export const coverTitle = ({ title, code }: Cover, language: Language, t: Translate): string =>
  title ? (title[language] ?? title.en) : t(`cover.${code}`);

export const coverLimit = ({ limit }: Cover, language: Language, t: Translate): string =>
  limit ? (limit[language] ?? limit.en) : t('terms.limitOpen');
