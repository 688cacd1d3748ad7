import type { Country } from './regime.ts';
import { countryNote } from './notes.ts';

/**
 * What a traveller's age changes about the e-visa of a nationality. `consulate`: the visa comes from a consulate.
 * `unclear`: the authorities name this age in two groups, one of which needs a consulate. `visa_free`: no visa is
 * needed. `no_document`: no supporting document is needed.
 */
type AgeNote = 'consulate' | 'unclear' | 'visa_free' | 'no_document';

type Group = { from: number; to: number; note: AgeNote };
const MAX_AGE = 200;

/** Ages in full years, both included; the first matching group counts. Sources: the notes of `data/countries.csv`. */
const groups: Readonly<Record<string, readonly Group[]>> = {
  DZA: [
    { from: 0, to: 14, note: 'visa_free' },
    { from: 18, to: 18, note: 'unclear' },
    { from: 19, to: 34, note: 'consulate' },
    { from: 35, to: 35, note: 'unclear' },
    { from: 66, to: MAX_AGE, note: 'visa_free' },
  ],
  EGY: [
    { from: 0, to: 14, note: 'no_document' },
    { from: 46, to: MAX_AGE, note: 'no_document' },
  ],
  IRQ: [
    { from: 0, to: 14, note: 'visa_free' },
    { from: 51, to: MAX_AGE, note: 'visa_free' },
  ],
  LBY: [
    { from: 0, to: 15, note: 'visa_free' },
    { from: 46, to: MAX_AGE, note: 'visa_free' },
  ],
};

/**
 * The ages on the day of arrival that free a nationality from the rule of the others: those under one age and over
 * another need no supporting document, or no visa at all.
 */
export type AgeExemption = { from: 'no_document' | 'visa_free'; under: number; over: number };

/** Who is exempt by age; null where nobody is, also once the regime that it was written for has changed. */
export function ageExemption(country: Pick<Country, 'code' | 'regime'>): AgeExemption | null {
  if (countryNote(country) === undefined) return null;
  const own = groups[country.code] ?? [];
  const [youngest, oldest] = [
    own.find(({ from }) => from === 0),
    own.find(({ to }) => to === MAX_AGE),
  ];
  if (!youngest || !oldest || youngest.note !== oldest.note) return null;
  const { note } = youngest;
  if (note !== 'no_document' && note !== 'visa_free') return null;
  return { from: note, under: youngest.to + 1, over: oldest.from - 1 };
}

/** Nationalities with a note about ages. */
export const agedCountries = Object.keys(groups);

/**
 * What a traveller of this age on the day of arrival has to know before paying; null for nothing. It warns and does not
 * stop, as the authorities decide. Null, too, once the regime it was written for has changed, see `countryNote`.
 */
export function countryAgeNote(
  country: Pick<Country, 'code' | 'regime'>,
  age: number,
): AgeNote | null {
  if (countryNote(country) === undefined) return null;
  return groups[country.code]?.find(({ from, to }) => age >= from && age <= to)?.note ?? null;
}
