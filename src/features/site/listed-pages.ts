import { informationPages } from './pages.ts';

/** Pages that search engines may list, in the order of the sitemap: one address each, without a language. */
export const listedPages = [
  '/',
  '/application',
  '/insurance',
  '/status',
  ...informationPages.map((page) => `/${page}` as const),
] as const;
export type ListedPage = (typeof listedPages)[number];

/** Second addresses of the same page. */
const twins: Readonly<Record<string, ListedPage>> = {
  '/apply': '/application',
  '/insurance-simple': '/insurance',
};

/** The listed page that an address without language shows; undefined for what belongs to one visitor, and for nothing. */
export function listedPageAt(pathname: string): ListedPage | undefined {
  return listedPages.find((page) => page === (twins[pathname] ?? pathname));
}

/** Where texts about a page stand: `site:nav.<key>`. The home page has none. */
const navigationKeys: Readonly<Partial<Record<ListedPage, string>>> = { '/application': 'apply' };

export const navigationKeyOf = (page: ListedPage): string => navigationKeys[page] ?? page.slice(1);
