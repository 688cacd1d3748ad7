import { isLanguage } from '~/base/languages.ts';

/**
 * A payment partner sends browsers back. Our return address leads on in the language that the browser left in, where that
 * is known and not the order's. Where neither the address nor a saved choice names a language, the page continues in the order's: the address to go to, or null where this one will do.
 */
export function inOrderLanguage(
  url: URL,
  shown: string,
  { language, hasChosen }: { language: string; hasChosen: boolean },
): string | null {
  const isPrefixed = isLanguage(url.pathname.split('/')[1]);
  if (isPrefixed || hasChosen || language === shown || !isLanguage(language)) return null;
  return `/${language}${url.pathname}${url.search}`;
}
