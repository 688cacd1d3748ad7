import { z } from 'zod';
import { editionAt, valuesAt, type Settings } from '~/features/settings/change.ts';
import {
  EVISA_VALIDITY_DAYS,
  isEligible,
  regimes,
  travelDocuments,
  type Country,
  type TravelDocument,
} from './regime.ts';

/** What a nationality is granted on one travel document, as an administrator dated it. */
export const regimeValue = z
  .object({
    regime: z.enum(regimes),
    maxStayDays: z.int().min(1).max(365).nullable(),
    entries: z.enum(['single', 'multiple']).nullable(),
    source: z.string(),
    /** Where the source can be read; '' where it has no address. */
    sourceAddress: z.string(),
    note: z.string(),
  })
  // The same as the table of countries checks.
  .refine(({ regime, maxStayDays }) => maxStayDays !== null || regime === 'no_evisa')
  .refine(({ regime, entries }) => isEligible({ regime }) === (entries !== null));
export type RegimeValue = z.infer<typeof regimeValue>;

/** The key of a change: `DZA` for ordinary passports, `DZA.service` for another document. */
export const regimeSubject = (code: string, document: TravelDocument): string =>
  document === 'ordinary' ? code : `${code}.${document}`;

type Cached = { first: readonly Country[]; edition: string; countries: readonly Country[] };
const cache = new WeakMap<Settings, Cached>();

/**
 * The countries as they are at a moment: the seeded list, changed by the decisions since. Returns the same list until
 * another decision takes effect, so that what is derived from it can be cached (`oncePerLanguage`).
 */
export function countriesAt(
  first: readonly Country[],
  settings: Settings,
  at: Date,
): readonly Country[] {
  const edition = editionAt(settings, at);
  const known = cache.get(settings);
  if (known?.first === first && known.edition === edition) return known.countries;
  const countries = decidedCountries(first, settings, at);
  cache.set(settings, { first, edition, countries });
  return countries;
}

function decidedCountries(
  first: readonly Country[],
  settings: Settings,
  at: Date,
): readonly Country[] {
  const decided = valuesAt(settings, 'countries', at);
  if (Object.keys(decided).length === 0) return first;
  return first.map((country) => {
    const ordinary = decided[country.code];
    const others = othersOf(country.code, decided);
    if (ordinary === undefined && others === null) return country;
    return {
      ...country,
      ...(ordinary === undefined ? {} : termsOf(regimeValue.parse(ordinary))),
      ...(others === null ? {} : { others }),
    };
  });
}

function termsOf({ regime, maxStayDays, entries, source, note }: RegimeValue) {
  const validityDays = isEligible({ regime }) ? EVISA_VALIDITY_DAYS : null;
  return { regime, maxStayDays, entries, source, note, validityDays } as const;
}

/** The visa-free stay of other documents, in days, where there is one. */
function othersOf(
  code: string,
  decided: Readonly<Record<string, unknown>>,
): Country['others'] | null {
  const granted = travelDocuments.flatMap((document) => {
    const value = document === 'ordinary' ? undefined : decided[regimeSubject(code, document)];
    if (value === undefined) return [];
    const { regime, maxStayDays } = regimeValue.parse(value);
    return regime === 'visa_free' && maxStayDays !== null ? [[document, maxStayDays] as const] : [];
  });
  return granted.length === 0 ? null : Object.fromEntries(granted);
}

/** What one document is granted at a moment. */
export function regimeAt(
  first: Country,
  document: TravelDocument,
  settings: Settings,
  at: Date,
): RegimeValue {
  const decided = valuesAt(settings, 'countries', at)[regimeSubject(first.code, document)];
  if (decided !== undefined) return regimeValue.parse(decided);
  if (document !== 'ordinary') {
    return {
      regime: 'no_evisa',
      maxStayDays: null,
      entries: null,
      source: '',
      sourceAddress: '',
      note: '',
    };
  }
  const { regime, maxStayDays, entries, source, note } = first;
  return { regime, maxStayDays, entries, source, sourceAddress: '', note };
}
