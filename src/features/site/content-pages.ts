import { languages, type Language } from '~/base/languages.ts';
import { informationPages } from './pages.ts';

/** Pages that are the same for everybody: home, information, policies. Each is a route with `scriptFree`. */
export const contentPages: readonly string[] = ['/', ...informationPages.map((page) => `/${page}`)];

/** Whether an address asks for such a page. With a question (`?countryId=…`) home answers one visitor. */
export function isContentPage(
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  prefix: Language | undefined,
): boolean {
  const bare = prefix ? pathname.slice(prefix.length + 1) || '/' : pathname;
  return search === '' && contentPages.includes(bare);
}

/**
 * Tells browsers to fetch a content page when somebody is about to follow a link to it. Never a language link:
 * following one is a choice that is kept.
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
              `/(${languages.map(({ code }) => code).join('|')})${page === '/' ? '' : page}`,
            ]),
          },
          { not: { selector_matches: 'a[hreflang]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
};
