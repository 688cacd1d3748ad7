import { isLanguage, preferredLanguageKey } from '~/base/languages.ts';

/**
 * Keeps the chosen language in local storage and in a cookie of the same name, so that the server knows it at the next
 * request. Only a click in the language menu is a choice.
 */
export function rememberLanguage(): void {
  const keep = (language: string) => {
    try {
      localStorage.setItem(preferredLanguageKey, language);
    } catch {
      // Storage may be forbidden; the cookie alone then carries the choice.
    }
    document.cookie = `${preferredLanguageKey}=${language}; path=/; max-age=31536000; samesite=lax`;
  };
  const hasCookie = () => document.cookie.includes(`${preferredLanguageKey}=`);
  document.addEventListener('click', (event) => {
    const target =
      event.target instanceof Element ? event.target.closest('.language-menu [lang]') : null;
    const language = target?.getAttribute('lang');
    if (language && isLanguage(language)) keep(language);
  });
  try {
    const saved = localStorage.getItem(preferredLanguageKey);
    if (saved && isLanguage(saved) && !hasCookie()) {
      keep(saved);
      // The server does not see local storage: a page whose address names no language is loaded again in the chosen
      // one.
      const isNamed = isLanguage(location.pathname.split('/')[1] ?? '');
      if (hasCookie() && !isNamed && document.documentElement.lang !== saved) location.reload();
    }
  } catch {
    // As above.
  }
}
