import {
  chooseLanguage,
  isLanguage,
  preferredLanguageKey,
  type Language,
} from '~/base/languages.ts';
import { readCookie, type HasHeaders } from '~/platform/http/cookies.server.ts';

/** The language that an address names explicitly: `/tr/status` → `tr`; a bare address names none. */
export function pathLanguage(pathname: string): Language | undefined {
  const first = pathname.split('/')[1]?.replace(/\.data$/, '') ?? '';
  return isLanguage(first) ? first : undefined;
}

/** The language of an answer: the address's, else the saved choice, the browser's, English. */
export function requestLanguage(request: HasHeaders & { url: string }): Language {
  return pathLanguage(new URL(request.url).pathname) ?? negotiateLanguage(request);
}

/** The language of an answer at an address that names none. */
export const negotiateLanguage = (request: HasHeaders): Language =>
  chooseLanguage({
    saved: readCookie(request, preferredLanguageKey),
    acceptLanguage: request.headers.get('accept-language'),
  });
