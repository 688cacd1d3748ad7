import { searchText } from './search-text.ts';
import { forgivenSlips, slips } from './spelling.ts';
import { synonyms } from './synonyms.ts';

/** `english` is there where the page's language calls the country otherwise: it is found by both names. */
export type CountryOption = { id: string; name: string; english?: string };

const NO_MATCH = Infinity;

/**
 * The options that a query means, best first: the name itself, a synonym, the beginning of the name or of one of its
 * words, all words in any order, a part. Where nothing fits, a slip or two are forgiven. Capitals, accents and
 * punctuation do not matter. An empty query means every option, in the given order.
 */
export function matchCountries<Option extends CountryOption>(
  query: string,
  options: readonly Option[],
): Option[] {
  const wanted = searchText(query);
  if (wanted === '') return [...options];
  const indexed = options.map((option) => ({ option, terms: knownTermsOf(option) }));
  const found = ranked(indexed, ({ text, weight, whole }) =>
    whole && text !== wanted ? NO_MATCH : rank(wanted, text) + weight,
  );
  if (found.length > 0) return found;
  return ranked(indexed, ({ text, whole }) => (whole ? NO_MATCH : misspelt(wanted, text)));
}

/** `whole`: only the complete text counts, as for codes, whose beginnings mean nothing. */
type Term = { text: string; weight: number; whole?: true };

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

/** Options live as long as the page; their terms are worked out on the first letter that is typed. */
const known = new WeakMap<CountryOption, Term[]>();

function knownTermsOf(option: CountryOption): Term[] {
  const terms = known.get(option) ?? termsOf(option);
  known.set(option, terms);
  return terms;
}

/** What an option is found by; a synonym counts a little less than the name that the traveller sees. */
function termsOf({ id, name, english }: CountryOption): Term[] {
  const names = english === undefined ? [name] : [name, english];
  const shown = names.flatMap((one) => {
    const text = searchText(one);
    return [text, searchText(one.replace(/\(.*\)/, '')), withoutArticle(text)];
  });
  const others = (synonyms[id] ?? []).map(searchText);
  return [
    ...shown.map((text) => ({ text, weight: 0 })),
    ...others.map((text) => ({ text, weight: 0.5 })),
    { text: searchText(id), weight: 1, whole: true },
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
