import loaders from 'virtual:texts';
import { textDirection, isLanguage } from '~/base/languages.ts';
import type { TextPart } from './text-parts.ts';
import type { Texts } from '~/base/read-text.ts';
import { pendingOnFailure } from '~/ui/page/lazy-part.tsx';

/** Which parts a page begins with: its document says so where that is less than the site's texts. */
function partsOf(page: Document): readonly TextPart[] {
  if (page.documentElement.dataset.texts === 'start') return ['start'];
  if (/^(\/[a-z]{2})?\/admin(\/|$)/.test(location.pathname)) return ['start', 'rest', 'staff'];
  // Test pages are always opened as documents of their own.
  return page.querySelector('#lab-pages') ? ['start', 'rest', 'lab'] : ['start', 'rest'];
}

/** The texts that a page begins with, in its language, and a function that loads the others. */
export async function loadTexts(page: Document) {
  const { lang } = page.documentElement;
  const language = isLanguage(lang) ? lang : 'en';
  const known = new Map<string, Texts>();
  const load = async (part: TextPart) => {
    const { default: texts } = await loaders[language][part]();
    for (const [namespace, its] of Object.entries(texts)) {
      known.set(namespace, together(known.get(namespace), its));
    }
  };
  const begun = partsOf(page);
  await Promise.all(begun.map(load));

  let hasRest = begun.includes('rest');
  let coming: Promise<void> | undefined;
  let needed: Promise<void> | undefined;
  /** Null once the site's texts are all there. A failure can be tried again. */
  function rest(): Promise<void> | null {
    if (hasRest) return null;
    coming ??= load('rest').then(
      () => void (hasRest = true),
      (error) => {
        coming = undefined;
        throw error;
      },
    );
    return coming;
  }

  return {
    texts: {
      language,
      direction: textDirection(language),
      textsOf: (namespace: string) => known.get(namespace),
    },
    rest,
    /** The same for what is not shown without them. */
    neededRest(): Promise<void> | null {
      const texts = rest();
      return texts && (needed ??= pendingOnFailure(texts));
    },
  };
}

/** A namespace can come in two parts, divided at the second name of its keys. */
function together(one: Texts = {}, other: Texts): Texts {
  const all = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const known = all[name];
    all[name] =
      typeof known === 'object' && typeof value === 'object' ? { ...known, ...value } : value;
  }
  return all;
}
