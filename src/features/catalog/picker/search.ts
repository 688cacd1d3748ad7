import { synonyms } from './synonyms.ts';
import { regionNames } from '~/base/intl.ts';

/** Letters that Unicode does not decompose into a base letter and a mark. */
const plainLetters: Record<string, string> = {
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  // Arabic letters that people use for one another.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};

/**
 * Text as it is compared in a search: small letters without accents, words apart by one space, "St" as "Saint".
 * Idempotent. "CÔTE D’IVOIRE" → "cote d ivoire", "İran" → "iran", "أُستراليا" → "استراليا".
 */
export function searchText(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\p{M}\u0640]/gu, '')
      .replace(/[ıøłđðßæœةىیک]/g, (letter) => plainLetters[letter] ?? letter)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      // At the end of several words it may be the beginning of another: "United St".
      .replace(/^st(?= |$)|( )st(?= )/g, '$1saint')
  );
}

/**
 * A search text without the article that names of countries have in sentences, or that lists set behind them: "the
 * bahamas", "les bahamas", "gambia the". Unchanged where nothing else is left.
 */
export const withoutSentenceArticle = (text: string): string =>
  text.replace(/^(?:the|les?|la|l|das|der|die|el|las|los) (?=.)| the$/g, '');

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
export const countryRegion = (code: string): string | null =>
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
  const region = countryRegion(code);
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

/**
 * The options that match a query, best first, else in the given order: the words of the query begin words of a name or
 * synonym, in any order, or the query begins the name in another language, or is the code. Case, accents, punctuation
 * and an article are ignored. Where nothing matches, one or two typing mistakes are allowed. An empty query matches every
 * option.
 */
export function matchCountries<Option extends CountryOption>(
  query: string,
  options: readonly Option[],
): Option[] {
  const wanted = searchText(query);
  if (wanted === '') return [...options];
  const bare = withoutSentenceArticle(wanted);
  // No country's name begins with the English article; others may be a part of it: "El Salvador".
  for (const one of wanted.startsWith('the ') ? [bare, wanted] : [wanted, bare]) {
    const found = options
      .map((option) => ({ option, rank: rankOf(one, knownTermsOf(option)) }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => a.rank - b.rank);
    if (found.length > 0) return found.map(({ option }) => option);
  }
  return options
    .map((option) => ({ option, typos: fewestTypos(bare, knownTermsOf(option)) }))
    .filter(({ typos }) => typos <= allowedTypos(bare.length))
    .sort((a, b) => a.typos - b.typos)
    .map(({ option }) => option);
}

/** 0 is best: "Guinea" is Guinea before Equatorial Guinea. -1 where nothing matches. */
function rankOf(wanted: string, { shown, synonymous, elsewhere }: Terms): number {
  const words = wanted.split(' ');
  const begins = (text: string) => text.startsWith(wanted);
  const hasWords = (text: string) => words.every((word) => ` ${text}`.includes(` ${word}`));
  return [
    shown.includes(wanted),
    synonymous.includes(wanted),
    elsewhere.includes(wanted),
    shown.some(begins),
    shown.some(hasWords) || synonymous.some(hasWords),
    isLongEnough(wanted) && elsewhere.some(begins),
  ].indexOf(true);
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
export function unlistedGroup(
  query: string,
  matches: readonly CountryOption[],
): 'turkish' | 'withoutNationality' | null {
  const wanted = searchText(query);
  if (wanted.length < 3) return null;
  if (withoutNationality.some((word) => word.startsWith(wanted) || wanted.startsWith(word))) {
    return 'withoutNationality';
  }
  const { shown, synonymous, elsewhere } = knownTermsOf(türkiye);
  const isNamed = [...shown, ...synonymous, ...elsewhere].includes(wanted);
  const isMeant = matches.length === 0 && matchCountries(query, [türkiye]).length > 0;
  return isNamed || isMeant ? 'turkish' : null;
}

/** What a country is found by, as search texts: its name on the page and in English, what else people call it, and its names in other languages and its code. */
type Terms = {
  readonly shown: readonly string[];
  readonly synonymous: readonly string[];
  readonly elsewhere: readonly string[];
};

/**
 * Whether a query is long enough for names in other languages: a few Latin letters begin a name of nearly every country
 * in some language; one Chinese character is half a name.
 */
function isLongEnough(wanted: string): boolean {
  if (/\p{Script=Han}/u.test(wanted)) return true;
  return wanted.length >= (/^[a-z ]+$/.test(wanted) ? 3 : 2);
}

/** Terms are computed once for each option. */
const cache = new WeakMap<CountryOption, Terms>();

function knownTermsOf(option: CountryOption): Terms {
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

function termsOf({ id, name, english = name }: CountryOption): Terms {
  const names = [...namesElsewhere(id), searchText(id)];
  return {
    shown: [name, english].flatMap((one) => {
      const text = searchText(one);
      return [text, searchText(one.replace(/\(.*\)/, '')), withoutArticle(text)];
    }),
    synonymous: (synonyms[id] ?? []).map(searchText),
    elsewhere: [...new Set([...names, ...names.map(withoutArticle)])],
  };
}

/** Arabic names are often typed without their article. */
function withoutArticle(text: string): string {
  return text.replace(/(^| )ال(?=\p{L}{2})/gu, '$1');
}

function fewestTypos(wanted: string, { shown, synonymous }: Terms): number {
  const limit = allowedTypos(wanted.length);
  const texts = [...shown, ...synonymous].flatMap((text) => [
    text,
    text.slice(0, wanted.length),
    ...text.split(' '),
  ]);
  return Math.min(...texts.map((text) => countTypos(wanted, text, limit)));
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
