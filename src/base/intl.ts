/*
 * The one place where objects of `Intl` are made: making one costs as much as a small page, and each holds tens of
 * kilobytes. They are kept by language and options; a lint rule forbids `Intl` elsewhere.
 */

/** More than the six languages in their styles need. What comes from a visitor (a time zone) must not fill memory. */
const MAX_CACHED_FORMATS = 200;

const NO_OPTIONS = {};

/** The same object for the same arguments; of too many the oldest is dropped. */
function caching<Options extends object, Made>(
  make: (locale: string, options: Options | undefined) => Made,
): (locale: string, options?: Options) => Made {
  const cached = new Map<string, Made>();
  // Options that are a constant of their module are found by identity, without `JSON.stringify`.
  let found = new WeakMap<object, Map<string, Made>>();
  function cachedFor(locale: string, options: Options | undefined): Made {
    const name = JSON.stringify([locale, options]);
    const known = cached.get(name);
    if (known !== undefined) return known;
    const made = make(locale, options);
    for (const oldest of cached.keys()) {
      if (cached.size < MAX_CACHED_FORMATS) break;
      cached.delete(oldest);
      found = new WeakMap();
    }
    cached.set(name, made);
    return made;
  }
  return (locale, options) => {
    const own = options ?? NO_OPTIONS;
    const byLocale = found.get(own) ?? new Map<string, Made>();
    const known = byLocale.get(locale);
    if (known !== undefined) return known;
    const made = cachedFor(locale, options);
    byLocale.set(locale, made);
    found.set(own, byLocale);
    return made;
  };
}

/** @throws A RangeError on an unknown time zone. */
export const dateTimeFormat = /* @__PURE__ */ caching(
  (locale, options: Intl.DateTimeFormatOptions | undefined) =>
    new Intl.DateTimeFormat(locale, options),
);

export const numberFormat = /* @__PURE__ */ caching(
  (locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options),
);

export const listFormat = /* @__PURE__ */ caching(
  (locale, options: Intl.ListFormatOptions | undefined) => new Intl.ListFormat(locale, options),
);

export const pluralRules = /* @__PURE__ */ caching((locale) => new Intl.PluralRules(locale));

/** Names of languages in a language: "Arabic". */
export const languageNames = /* @__PURE__ */ caching(
  (locale) => new Intl.DisplayNames([locale], { type: 'language' }),
);

/** Compares two texts as readers of the language expect them to be sorted. */
export const makeComparer = /* @__PURE__ */ caching((locale) => new Intl.Collator(locale).compare);

/**
 * Names of regions in a language, for browsers as well; undefined for a region that it has no name of.
 * @throws Where the browser brings no names along.
 */
export const regionNames = /* @__PURE__ */ caching(
  (locale) => new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }),
);
