import type { CodeIn } from '~/base/text-keys.ts';
import { informationPages } from './pages.ts';

/** Pages that search engines may index, in sitemap order, without the language. */
export const listedPages = [
  '/',
  '/application',
  '/insurance',
  '/status',
  ...informationPages.map((page) => `/${page}` as const),
] as const;
export type ListedPage = (typeof listedPages)[number];

/** Further addresses of the same page. */
const twins: Readonly<Record<string, ListedPage>> = {
  '/apply': '/application',
  '/insurance-simple': '/insurance',
};

/** The listed page at an address without language; undefined for pages of one visitor, and unknown ones. */
export function listedPageAt(pathname: string): ListedPage | undefined {
  return listedPages.find((page) => page === (twins[pathname] ?? pathname));
}

const names = ['application', 'insurance', 'status', ...informationPages] as const;
export type PageName = (typeof names)[number] | 'home';

export const nameOf = (page: ListedPage): PageName =>
  names.find((name) => `/${name}` === page) ?? 'home';

/** The key of a page's name: `site:nav.<key>`. */
export function navigationKeyOf(page: ListedPage): CodeIn<'site', 'nav'> {
  const name = nameOf(page);
  return name === 'application' ? 'apply' : name;
}
