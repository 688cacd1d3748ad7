/*
 * The one place where objects of `Intl` are made: making one costs as much as a small page, and each holds tens of
 * kilobytes. They are kept by language and options; lint rules forbid `Intl` elsewhere, and
 * `test/nothing-made-anew.test.ts` fails where a request makes one.
 */

/** More than the six languages in their styles need. What comes from a visitor (a time zone) must not fill memory. */
const MOST_KEPT = 200;

/** The same object for the same arguments; of too many the oldest is dropped. */
function keeping<Args extends readonly unknown[], Made>(
  make: (...args: Args) => Made,
): (...args: Args) => Made {
  const kept = new Map<string, Made>();
  return (...args) => {
    const name = JSON.stringify(args);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = make(...args);
    for (const oldest of kept.keys()) {
      if (kept.size < MOST_KEPT) break;
      kept.delete(oldest);
    }
    kept.set(name, made);
    return made;
  };
}

/** Throws a RangeError on an unknown time zone. */
export const dateTimeFormat = /* @__PURE__ */ keeping(
  (locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

export const numberFormat = /* @__PURE__ */ keeping(
  (locale: string, options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(locale, options),
);

export const listFormat = /* @__PURE__ */ keeping(
  (locale: string, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options),
);

export const pluralRules = /* @__PURE__ */ keeping(
  (locale: string) => new Intl.PluralRules(locale),
);

/** Compares two texts as readers of the language expect them to be sorted. */
export const comparerIn = /* @__PURE__ */ keeping(
  (locale: string) => new Intl.Collator(locale).compare,
);
