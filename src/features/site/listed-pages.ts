import { type Language, languageCodes } from '~/base/languages.ts';
import { informationPages, pageTwins } from './pages.ts';
import type { CodeIn } from '~/base/text-keys.ts';

/** Pages that are the same for every visitor: home, information, policies. Each is a route with `scriptFree`. */
export const contentPages: readonly string[] = [
  '/',
  ...informationPages.map((page) => `/${page}`),
  ...Object.keys(pageTwins),
];

/** Whether an address is one of these pages. With a query (`?countryId=…`) home depends on the visitor's answers. */
export function isContentPage(
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  prefix: Language | undefined,
): boolean {
  const bare = prefix ? pathname.slice(prefix.length + 1) || '/' : pathname;
  return search === '' && contentPages.includes(bare);
}

/**
 * Has browsers prefetch a content page when a visitor is about to follow a link to it. Not language links: following
 * one stores the choice.
 */
export const speculationRules = {
  prefetch: [
    {
      source: 'document',
      where: {
        and: [
          {
            href_matches: contentPages.flatMap((page) => [
              page,
              `/(${languageCodes.join('|')})${page === '/' ? '' : page}`,
            ]),
          },
          { not: { selector_matches: 'a[hreflang]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
};

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
  ...pageTwins,
};

/** The listed page at an address without language; undefined for pages of one visitor, and unknown ones. */
export function listedPageByPath(pathname: string): ListedPage | undefined {
  return listedPages.find((page) => page === (twins[pathname] ?? pathname));
}

const names = ['application', 'insurance', 'status', ...informationPages] as const;
type PageName = (typeof names)[number] | 'home';

export const pageName = (page: ListedPage): PageName =>
  names.find((name) => `/${name}` === page) ?? 'home';

/** The key of a page's name: `site:nav.<key>`. */
export function navigationKey(page: ListedPage): CodeIn<'site', 'nav'> {
  const name = pageName(page);
  return name === 'application' ? 'apply' : name;
}
