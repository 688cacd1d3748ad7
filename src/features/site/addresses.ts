import { defaultLanguage, languages, type Language } from '~/base/languages.ts';
import { inLanguage } from './navigation.ts';

/** A page's address in one language, as search engines and shared links write it. `origin` has no trailing slash. */
export const addressIn = (origin: string, language: Language, page: string): string =>
  origin + inLanguage(language, page, '');

/** One page in every language, and where to send everybody else. */
export function alternates(origin: string, page: string): { hreflang: string; href: string }[] {
  return [
    ...languages.map(({ code }) => ({ hreflang: code, href: addressIn(origin, code, page) })),
    { hreflang: 'x-default', href: addressIn(origin, defaultLanguage, page) },
  ];
}
