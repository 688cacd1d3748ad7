import { defaultLanguage, languages, type Language } from '~/base/languages.ts';

/** Home and the three ways in, in header, mobile menu and footer. Words: `site:nav.<key>`. */
export const mainPages = [
  { key: 'home', to: '/', alsoAt: [] },
  { key: 'apply', to: '/application', alsoAt: ['/apply'] },
  { key: 'insurance', to: '/insurance', alsoAt: ['/insurance-simple'] },
  { key: 'status', to: '/status', alsoAt: [] },
] as const;

export type MainPage = (typeof mainPages)[number];

/** Whether a path without language prefix lies in that part of the site. */
export function isAt(page: MainPage, pathname: string): boolean {
  return [page.to, ...page.alsoAt].some(
    (path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)),
  );
}

/** The same page in another language; the home page has no trailing slash. */
export function inLanguage(language: string, pathname: string, search: string): string {
  return `/${language}${pathname === '/' ? '' : pathname}${search}`;
}

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
