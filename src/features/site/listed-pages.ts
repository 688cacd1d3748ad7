import type { CodeIn } from '~/base/text-keys.ts';
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

const names = ['application', 'insurance', 'status', ...informationPages] as const;
export type PageName = (typeof names)[number] | 'home';

export const nameOf = (page: ListedPage): PageName =>
  names.find((name) => `/${name}` === page) ?? 'home';

/** Where a page is named: `site:nav.<key>`. */
export function navigationKeyOf(page: ListedPage): CodeIn<'site', 'nav'> {
  const name = nameOf(page);
  return name === 'application' ? 'apply' : name;
}
