/** What the rest of the service has to know about a language; its texts are in `locales` and `text`. */
type LanguageFacts = {
  code: string;
  /** The language's own name for itself. */
  name: string;
  /** ISO 3166 two-letter code. */
  flag: string;
  direction: 'ltr' | 'rtl';
  script: 'latin' | 'arabic';
  /** The BCP 47 tag that `Intl` understands. */
  intl: string;
  /** The same for amounts of dollars. */
  intlOfMoney: string;
  /** PayPal's tag for its pages: https://developer.paypal.com/api/rest/reference/locale-codes/ */
  paypal: string;
  /** Stripe's tag for its page; `auto` is the browser's: https://docs.stripe.com/js/appendix/supported_locales */
  stripe: string;
  /**
   * Where the authorities take applications themselves; in English where their site is not known to have the language.
   */
  officialSite: string;
  /** With the space before it, where one is written. */
  colon: string;
  /** Whether a sentence goes on with a small letter after a colon. */
  isSmallAfterColon: boolean;
  /** Between a month and its year. */
  monthJoiner: string;
  /** Between a day and its time. */
  timeJoiner: string;
};

const latin = {
  direction: 'ltr',
  script: 'latin',
  colon: ':',
  isSmallAfterColon: true,
  monthJoiner: ' ',
  timeJoiner: ', ',
} as const;

/**
 * The languages of the service, in the order of the switcher. Arabic keeps Latin digits: they are typed and compared
 * with passports.
 */
export const languages = [
  {
    ...latin,
    code: 'en',
    name: 'English',
    flag: 'GB',
    intl: 'en-GB',
    intlOfMoney: 'en-GB',
    paypal: 'en-US',
    stripe: 'en',
    officialSite: 'https://www.evisa.gov.tr/en/',
  },
  {
    ...latin,
    code: 'tr',
    name: 'Türkçe',
    flag: 'TR',
    intl: 'tr',
    intlOfMoney: 'tr',
    paypal: 'tr-TR',
    stripe: 'tr',
    officialSite: 'https://www.evisa.gov.tr/tr/',
  },
  {
    ...latin,
    code: 'fr',
    name: 'Français',
    flag: 'FR',
    intl: 'fr',
    intlOfMoney: 'fr',
    paypal: 'fr-FR',
    stripe: 'fr',
    officialSite: 'https://www.evisa.gov.tr/fr/',
    colon: '\u00a0:',
  },
  {
    ...latin,
    code: 'de',
    name: 'Deutsch',
    flag: 'DE',
    intl: 'de',
    intlOfMoney: 'de',
    paypal: 'de-DE',
    stripe: 'de',
    officialSite: 'https://www.evisa.gov.tr/en/',
    isSmallAfterColon: false,
  },
  {
    ...latin,
    code: 'es',
    name: 'Español',
    flag: 'ES',
    intl: 'es',
    intlOfMoney: 'es',
    paypal: 'es-ES',
    stripe: 'es',
    officialSite: 'https://www.evisa.gov.tr/es/',
    monthJoiner: ' de ',
  },
  {
    code: 'ar',
    name: 'العربية',
    flag: 'SA',
    direction: 'rtl',
    script: 'arabic',
    intl: 'ar-u-nu-latn',
    intlOfMoney: 'en-US',
    paypal: 'ar-EG',
    stripe: 'auto',
    officialSite: 'https://www.evisa.gov.tr/ar/',
    colon: ':',
    isSmallAfterColon: false,
    monthJoiner: ' ',
    timeJoiner: '، ',
  },
] as const satisfies readonly LanguageFacts[];

/** In the order of the switcher. */
export const languageCodes = languages.map(({ code }) => code);

export type Language = (typeof languages)[number]['code'];
export type Direction = (typeof languages)[number]['direction'];

export const defaultLanguage: Language = 'en';

/** Where the choice is kept: local storage and a cookie, both under this name. */
export const preferredLanguageKey = 'preferred-language';

export const isLanguage = (text: unknown): text is Language =>
  languages.some(({ code }) => code === text);

export const languageFacts = (language: Language) =>
  languages.find(({ code }) => code === language) ?? languages[0];

export const textDirection = (language: Language): Direction => languageFacts(language).direction;

/** The BCP 47 tag that `Intl` understands. */
export const intlLocale = (language: Language): string => languageFacts(language).intl;

/** French writes a space before it, one that does not break. */
export const languageColon = (language: Language): string => languageFacts(language).colon;

type LanguageHints = {
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
