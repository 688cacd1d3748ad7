import { namesElsewhere } from './names-elsewhere.ts';
import { searchText } from './search-text.ts';
import { forgivenSlips, slips } from './spelling.ts';
import { synonyms } from './synonyms.ts';

/** `english` is there where the page's language calls the country otherwise: it is found by both names. */
export type CountryOption = { id: string; name: string; english?: string };

const NO_MATCH = Infinity;

/**
 * The options that a query means, best first: the name itself, a synonym, the beginning of the name or of one of its
 * words, the beginning of what another language calls it, all words in any order, a part. Where nothing fits, a slip or
 * two are forgiven. Capitals, accents and punctuation do not matter. An empty query means every option, in the given
 * order.
 */
export function matchCountries<Option extends CountryOption>(
  query: string,
  options: readonly Option[],
): Option[] {
  const wanted = searchText(query);
  if (wanted === '') return [...options];
  const indexed = options.map((option) => ({ option, terms: knownTermsOf(option) }));
  const scores = scoresFor(wanted);
  const found = ranked(indexed, ({ text, as }) => scores[as](text));
  if (found.length > 0) return found;
  return ranked(indexed, ({ text, as }) =>
    as === 'name' || as === 'synonym' ? misspelt(wanted, text) : NO_MATCH,
  );
}

/** `elsewhere`: what another language calls it. */
type Term = { text: string; as: 'name' | 'synonym' | 'elsewhere' | 'code' };

/** How well each kind of term fits what is wanted; what the traveller sees counts most. */
function scoresFor(wanted: string): Readonly<Record<Term['as'], (text: string) => number>> {
  const mayBegin = saysEnough(wanted);
  return {
    name: (text) => rank(wanted, text),
    synonym: (text) => rank(wanted, text) + 0.5,
    elsewhere: (text) => {
      if (text === wanted) return 0.75;
      return mayBegin && text.startsWith(wanted) ? 3.5 : NO_MATCH;
    },
    // The beginning of a code means nothing.
    code: (text) => (text === wanted ? 1 : NO_MATCH),
  };
}

/** Few Latin letters begin a name in some language of nearly every country; a Chinese one is half a name. */
function saysEnough(wanted: string): boolean {
  if (/\p{Script=Han}/u.test(wanted)) return true;
  return wanted.length >= (/^[a-z ]+$/.test(wanted) ? 3 : 2);
}

function ranked<Option>(
  indexed: readonly { option: Option; terms: Term[] }[],
  score: (term: Term) => number,
): Option[] {
  return indexed
    .map(({ option, terms }) => ({ option, best: Math.min(...terms.map(score)) }))
    .filter(({ best }) => best < NO_MATCH)
    .sort((a, b) => a.best - b.best)
    .map(({ option }) => option);
}

/** Options live as long as the page; their terms are worked out once. */
const known = new WeakMap<CountryOption, Term[]>();

function knownTermsOf(option: CountryOption): Term[] {
  const terms = known.get(option) ?? termsOf(option);
  known.set(option, terms);
  return terms;
}

/** How many options' terms are worked out at a stroke: a few milliseconds on an ordinary telephone. */
const AT_ONCE = 10;

/** Works the terms of all options out, a few at a time, so that the first letter is not slow. Answers how to stop. */
export function prepareSearch(options: readonly CountryOption[]): () => void {
  let done = 0;
  const timer = setInterval(() => {
    for (const option of options.slice(done, done + AT_ONCE)) knownTermsOf(option);
    done += AT_ONCE;
    if (done >= options.length) clearInterval(timer);
  });
  return () => clearInterval(timer);
}

/** What an option is found by; a synonym counts a little less than the name that the traveller sees. */
function termsOf({ id, name, english }: CountryOption): Term[] {
  const names = english === undefined ? [name] : [name, english];
  const shown = names.flatMap((one) => {
    const text = searchText(one);
    return [text, searchText(one.replace(/\(.*\)/, '')), withoutArticle(text)];
  });
  const others = (synonyms[id] ?? []).map(searchText);
  const elsewhere = namesElsewhere(id);
  const bare = elsewhere.map(withoutArticle);
  return [
    ...shown.map((text) => ({ text, as: 'name' as const })),
    ...others.map((text) => ({ text, as: 'synonym' as const })),
    ...[...new Set([...elsewhere, ...bare])].map((text) => ({ text, as: 'elsewhere' as const })),
    { text: searchText(id), as: 'code' },
  ];
}

/** Arabic names are often typed without their article. */
function withoutArticle(text: string): string {
  return text.replace(/(?<=^| )ال(?=\p{L}{2})/gu, '');
}

function rank(wanted: string, text: string): number {
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 2;
  if (` ${text}`.includes(` ${wanted}`)) return 3;
  const words = text.split(' ');
  if (wanted.split(' ').every((part) => words.some((word) => word.startsWith(part)))) return 4;
  // Two letters stand somewhere inside half of all names.
  return wanted.length > 2 && text.includes(wanted) ? 5 : NO_MATCH;
}

function misspelt(wanted: string, text: string): number {
  const limit = forgivenSlips(wanted.length);
  const candidates = [text, text.slice(0, wanted.length), ...text.split(' ')];
  const fewest = Math.min(...candidates.map((one) => slips(wanted, one, limit)));
  return fewest <= limit ? fewest : NO_MATCH;
}
