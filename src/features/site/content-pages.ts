import { type Language, languageCodes } from '~/base/languages.ts';
import { informationPages } from './pages.ts';

/** Pages that are the same for every visitor: home, information, policies. Each is a route with `scriptFree`. */
export const contentPages: readonly string[] = ['/', ...informationPages.map((page) => `/${page}`)];

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
