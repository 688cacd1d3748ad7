import type { Language } from './languages.ts';

/**
 * What is made of a list in a language, made once for each list: as long as somebody has the list, as `allCountries`
 * gives the same one until a decision changes it, and no longer. What is given is shared: it must not be changed.
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
