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
  const ofCookie = () =>
    document.cookie
      .split('; ')
      .find((cookie) => cookie.startsWith(`${preferredLanguageKey}=`))
      ?.slice(preferredLanguageKey.length + 1);
  document.addEventListener('click', (event) => {
    const target =
      event.target instanceof Element ? event.target.closest('.language-menu [lang]') : null;
    const language = target?.getAttribute('lang');
    if (language && isLanguage(language)) keep(language);
  });
  try {
    const saved = localStorage.getItem(preferredLanguageKey);
    const known = ofCookie();
    // A cookie of the same language may be younger than this page: another tab has set it while the page was on its
    // way. A page that was loaded again already is not loaded once more: its server does not hear the cookie.
    const isYounger = known === saved && !wasReloaded();
    if (saved && isLanguage(saved) && (known === undefined || isYounger)) {
      keep(saved);
      // The server does not see local storage: a page whose address names no language is loaded again in the chosen
      // one.
      const isNamed = isLanguage(location.pathname.split('/')[1] ?? '');
      const isKept = ofCookie() === saved;
      if (isKept && !isNamed && document.documentElement.lang !== saved) location.reload();
    }
  } catch {
    // As above.
  }
}

const wasReloaded = () =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'reload');
