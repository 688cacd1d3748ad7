import type { CountryOption } from '~/features/catalog/picker/search.ts';
import type { CountryTerms } from '../rules/answers.ts';

/**
 * Every nationality for the page's scripts, in a third of the bytes of objects: a line each with its code, the index of
 * its terms (few differ), and its name.
 */
type CountryLines = { terms: readonly Omit<CountryTerms, 'code'>[]; lines: string };

/** Names contain neither line breaks nor tabs. */
const [LINE, CELL] = ['\n', '\t'] as const;

/** `options` in display order; those whose code is not in `countries` are left out. */
export function toLines(
  options: readonly CountryOption[],
  countries: readonly CountryTerms[],
): CountryLines {
  const known = new Map(
    countries.map(({ code, regime, maxStayDays, entries, others, checkedOn }) => [
      code,
      JSON.stringify({
        regime,
        maxStayDays,
        entries,
        ...(others && { others }),
        ...(checkedOn && { checkedOn }),
      }),
    ]),
  );
  const terms = [...new Set(known.values())];
  const lines = options.flatMap(({ id, name, english }) => {
    const its = known.get(id);
    return its === undefined ? [] : [[id, terms.indexOf(its), name, english ?? ''].join(CELL)];
  });
  return { terms: terms.map((its) => JSON.parse(its)), lines: lines.join(LINE) };
}

type Countries = {
  options: readonly CountryOption[];
  termsOf: (code: string) => CountryTerms | null;
};

const read = new WeakMap<CountryLines, Countries>();

/** The inverse; the same result for the same lines, as the server renders many pages from one list. */
export function fromLines(from: CountryLines): Countries {
  const known = read.get(from) ?? readLines(from);
  read.set(from, known);
  return known;
}

function readLines({ terms, lines }: CountryLines): Countries {
  const options: CountryOption[] = [];
  const byCode = new Map<string, CountryTerms>();
  for (const line of lines === '' ? [] : lines.split(LINE)) {
    const [id = '', number = '', name = '', english = ''] = line.split(CELL);
    const its = terms[Number(number)];
    options.push({ id, name, ...(english && { english }) });
    if (its) byCode.set(id, { code: id, ...its });
  }
  return { options, termsOf: (code) => byCode.get(code) ?? null };
}
