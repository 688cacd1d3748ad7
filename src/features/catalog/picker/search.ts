import { searchText, withoutSentenceArticle } from './search-text.ts';
import { synonyms } from './synonyms.ts';
import { regionNames } from '~/base/intl.ts';

/**
 * Languages in whose names a country is found: ours, those of most travellers to Türkiye, and others of the scripts
 * that these use.
 */
const languages =
  'ar bg bn cs da de el en es fa fi fr he hi hu id it ja kk ko nb nl pl pt ro ru sr sv th tr uk ur vi zh zh-Hant'.split(
    ' ',
  );

/** Three-letter codes of ISO 3166-1 whose two-letter code is not their beginning, followed by that code. */
const otherRegions =
  'AGOAO ANDAD AREAE ARMAM ATGAG AUTAT BDIBI BENBJ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN CAFCF CHLCL CHNCN CODCD COGCG COMKM CPVCV DNKDK ESTEE FSMFM GINGN GNBGW GNQGQ GRDGD GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MDGMG MDVMV MEXMX MLTMT MNEME MNPMP MOZMZ PAKPK PLWPW PNGPG POLPL PRKKP PRTPT PRYPY SENSN SLBSB SLVSV SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY';

const regions = new Map(otherRegions.split(' ').map((pair) => [pair.slice(0, 3), pair.slice(3)]));

/** The region under which browsers know a code's name; British overseas nationals (GBN) have none of their own. */
export const regionOf = (code: string): string | null =>
  code === 'GBN' ? null : (regions.get(code) ?? code.slice(0, 2));

/** Undefined in browsers without names of regions. */
function nameIn(language: string, region: string): string | undefined {
  try {
    return regionNames(language).of(region);
  } catch {
    return undefined;
  }
}

/** What other languages call a country, as search texts without repetition; the names come with the browser. */
function namesElsewhere(code: string): readonly string[] {
  const region = regionOf(code);
  if (region === null || !/^[A-Z]{2}$/.test(region)) return [];
  const names = languages.flatMap((language) => {
    const name = nameIn(language, region);
    return name === undefined
      ? []
      : [searchText(name), searchText(name.replace(/[(（].*[)）]/, ''))];
  });
  return [...new Set(names)];
}

/** `english`: the English name, where the page's language has another; both are searched. */
export type CountryOption = { id: string; name: string; english?: string };

const NO_MATCH = Infinity;

/**
 * The options that match a query, best first: the name itself, a synonym, the beginning of the name or of one of its
 * words, the beginning of a name in another language, all words in any order, a part. Where nothing matches, one or two
 * typing mistakes are allowed. Case, accents and punctuation are ignored. An empty query matches every option, in the
 * given order.
 */
export function matchCountries<Option extends CountryOption>(
  query: string,
  options: readonly Option[],
): Option[] {
  const wanted = searchText(query);
  if (wanted === '') return [...options];
  const indexed = options.map((option) => ({ option, terms: knownTermsOf(option) }));
  const bare = withoutSentenceArticle(wanted);
  // No country's name begins with the English article; others may be a part of it: "El Salvador".
  for (const query of wanted.startsWith('the ') ? [bare, wanted] : new Set([wanted, bare])) {
    const scores = scoresFor(query);
    const found = ranked(indexed, ({ text, kind }) => scores[kind](text));
    if (found.length > 0) return found;
  }
  return ranked(indexed, ({ text, kind }) =>
    kind === 'name' || kind === 'synonym' ? misspelt(bare, text) : NO_MATCH,
  );
}

/** What holders of a refugee's or stateless person's travel document type instead of a country, in our languages. */
const withoutNationality = [
  'refugee',
  'stateless',
  'mülteci',
  'vatansız',
  'flüchtling',
  'staatenlos',
  'réfugié',
  'apatride',
  'refugiado',
  'apátrida',
  'لاجئ',
  'عديم الجنسية',
].map(searchText);

const türkiye: CountryOption = { id: 'TUR', name: 'Türkiye' };

/**
 * Whom a query means who is not in the list, to be told what applies to them; null for nobody we know. Where countries
 * match as well ("تركيا" is nearly Turkmenistan), only by a whole name.
 */
export function unlistedFor(
  query: string,
  matches: readonly CountryOption[],
): 'turkish' | 'withoutNationality' | null {
  const wanted = searchText(query);
  if (wanted.length < 3) return null;
  if (withoutNationality.some((word) => word.startsWith(wanted) || wanted.startsWith(word))) {
    return 'withoutNationality';
  }
  const isNamed = knownTermsOf(türkiye).some(({ text }) => text === wanted);
  const isMeant = matches.length === 0 && matchCountries(query, [türkiye]).length > 0;
  return isNamed || isMeant ? 'turkish' : null;
}

/** `elsewhere`: what another language calls it. */
type Term = { text: string; kind: 'name' | 'synonym' | 'elsewhere' | 'code' };

/** The score of each kind of term; the name on the page counts most. */
function scoresFor(wanted: string): Readonly<Record<Term['kind'], (text: string) => number>> {
  const mayBegin = isLongEnough(wanted);
  return {
    name: (text) => rank(wanted, text),
    synonym: (text) => rank(wanted, text) + 0.5,
    elsewhere: (text) => {
      if (text === wanted) return 0.75;
      return mayBegin && text.startsWith(wanted) ? 3.5 : NO_MATCH;
    },
    // The beginning of a code does not count.
    code: (text) => (text === wanted ? 1 : NO_MATCH),
  };
}

/**
 * Whether a query is long enough for names in other languages: a few Latin letters begin a name of nearly every country
 * in some language; one Chinese character is half a name.
 */
function isLongEnough(wanted: string): boolean {
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

/** Terms are computed once for each option. */
const cache = new WeakMap<CountryOption, Term[]>();

function knownTermsOf(option: CountryOption): Term[] {
  const terms = cache.get(option) ?? termsOf(option);
  cache.set(option, terms);
  return terms;
}

/** Options whose terms are computed without a break: a few milliseconds on an ordinary phone. */
const AT_ONCE = 10;

/**
 * Computes the terms of all options ahead, a few at a time, so that the first letter typed is not slow. Returns a
 * function that stops it.
 */
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
    ...shown.map((text) => ({ text, kind: 'name' as const })),
    ...others.map((text) => ({ text, kind: 'synonym' as const })),
    ...[...new Set([...elsewhere, ...bare])].map((text) => ({ text, kind: 'elsewhere' as const })),
    { text: searchText(id), kind: 'code' },
  ];
}

/** Arabic names are often typed without their article. */
function withoutArticle(text: string): string {
  return text.replace(/(^| )ال(?=\p{L}{2})/gu, '$1');
}

function rank(wanted: string, text: string): number {
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 2;
  if (` ${text}`.includes(` ${wanted}`)) return 3;
  const words = text.split(' ');
  if (wanted.split(' ').every((part) => words.some((word) => word.startsWith(part)))) return 4;
  // Two letters occur inside half of all names.
  return wanted.length > 2 && text.includes(wanted) ? 5 : NO_MATCH;
}

function misspelt(wanted: string, text: string): number {
  const limit = allowedTypos(wanted.length);
  const candidates = [text, text.slice(0, wanted.length), ...text.split(' ')];
  const fewest = Math.min(...candidates.map((one) => countTypos(wanted, one, limit)));
  return fewest <= limit ? fewest : NO_MATCH;
}

/**
 * The number of typing mistakes between two words: a letter too many, missing, wrong, or two neighbours swapped. Stops
 * counting above `limit` and returns `limit + 1`.
 */
function countTypos(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(at(last, b.length), limit + 1);
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}

/** How many mistakes a word of this length may have: none below four letters, two from eight on. */
function allowedTypos(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}
