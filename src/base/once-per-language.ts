import type { Language } from './languages.ts';

/**
 * Makes something of a list in a language, once for each list, and keeps it as long as the list is referenced:
 * `allCountries` returns the same one until a decision changes it. The result is shared and must not be changed.
 */
export function oncePerLanguage<List extends object, Made>(
  make: (list: List, language: Language) => Made,
): (list: List, language: Language) => Made {
  const kept = new WeakMap<List, Map<Language, { made: Made }>>();
  return (list, language) => {
    let known = kept.get(list);
    if (!known) kept.set(list, (known = new Map()));
    const found = known.get(language);
    if (found) return found.made;
    const made = make(list, language);
    known.set(language, { made });
    return made;
  };
}
