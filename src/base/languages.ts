/**
 * The languages of the service, in the order of the switcher. `name` is the language's own; `flag` an ISO 3166
 * two-letter code. Arabic keeps Latin digits: they are typed and compared with passports.
 */
export const languages = [
  { code: 'en', name: 'English', flag: 'GB', direction: 'ltr', intl: 'en-GB' },
  { code: 'tr', name: 'Türkçe', flag: 'TR', direction: 'ltr', intl: 'tr' },
  { code: 'fr', name: 'Français', flag: 'FR', direction: 'ltr', intl: 'fr' },
  { code: 'de', name: 'Deutsch', flag: 'DE', direction: 'ltr', intl: 'de' },
  { code: 'es', name: 'Español', flag: 'ES', direction: 'ltr', intl: 'es' },
  { code: 'ar', name: 'العربية', flag: 'SA', direction: 'rtl', intl: 'ar-u-nu-latn' },
] as const;

export type Language = (typeof languages)[number]['code'];
export type Direction = (typeof languages)[number]['direction'];

export const defaultLanguage: Language = 'en';

/** Where the choice is kept: local storage and a cookie, both under this name. */
export const preferredLanguageKey = 'preferred-language';

export const isLanguage = (text: unknown): text is Language =>
  languages.some(({ code }) => code === text);

export const directionOf = (language: Language): Direction => entryOf(language).direction;

/** The BCP 47 tag that `Intl` understands. */
export const intlLocaleOf = (language: Language): string => entryOf(language).intl;

/** French writes a space before it, one that does not break. */
export const colonIn = (language: Language): string => (language === 'fr' ? '\u00a0:' : ':');

const entryOf = (language: Language) =>
  languages.find(({ code }) => code === language) ?? languages[0];

export type LanguageHints = {
  /** What the visitor chose earlier, from wherever it was kept. */
  saved?: string | null | undefined;
  /** The request's `Accept-Language` header. */
  acceptLanguage?: string | null | undefined;
  /** `navigator.languages`, where there is no header. */
  browserLanguages?: readonly string[] | undefined;
};

/** Saved choice, then the first supported language of the browser, else English. Never throws. */
export function chooseLanguage({
  saved,
  acceptLanguage,
  browserLanguages,
}: LanguageHints): Language {
  if (isLanguage(saved)) return saved;
  for (const tag of browserLanguages ?? readAcceptLanguage(acceptLanguage ?? '')) {
    const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
    if (isLanguage(primary)) return primary;
  }
  return defaultLanguage;
}

/** A browser sends a few dozen characters; more is an attack on the parser. */
const MAX_HEADER = 1000;
const RANGE =
  /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** The tags of an `Accept-Language` header (RFC 9110, 12.5.4), most wanted first; what is malformed is left out. */
function readAcceptLanguage(header: string): string[] {
  if (header.length > MAX_HEADER) return [];
  return header
    .split(',')
    .flatMap((part) => {
      const match = RANGE.exec(part);
      return match?.[1] ? [{ tag: match[1], quality: Number(match[2] ?? 1) }] : [];
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
