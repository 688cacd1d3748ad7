import { defaultLanguage, languages, type Language } from '~/base/languages.ts';

/** Home and the three main pages, in header, mobile menu and footer. Texts: `site:nav.<key>`. */
export const mainPages = [
  { key: 'home', to: '/', alsoAt: [] },
  { key: 'apply', to: '/application', alsoAt: ['/apply'] },
  { key: 'insurance', to: '/insurance', alsoAt: ['/insurance-simple'] },
  { key: 'status', to: '/status', alsoAt: [] },
] as const;

export type MainPage = (typeof mainPages)[number];

/** Whether a path without language is in that section of the site. */
export function isCurrentPage(page: MainPage, pathname: string): boolean {
  return [page.to, ...page.alsoAt].some(
    (path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)),
  );
}

/** The same page in another language; the home page has no trailing slash. */
export function languagePath(language: string, pathname: string, search: string): string {
  return `/${language}${pathname === '/' ? '' : pathname}${search}`;
}

/** A page's full address in one language, for search engines and shared links. `origin` has no trailing slash. */
export const pageUrl = (origin: string, language: Language, page: string): string =>
  origin + languagePath(language, page, '');

/** A page's addresses in every language, and the default one. */
export function alternates(origin: string, page: string): { hreflang: string; href: string }[] {
  return [
    ...languages.map(({ code }) => ({ hreflang: code, href: pageUrl(origin, code, page) })),
    { hreflang: 'x-default', href: pageUrl(origin, defaultLanguage, page) },
  ];
}
