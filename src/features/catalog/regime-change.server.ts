import { z } from 'zod';
import { isPlainDate } from '~/base/dates/dates.ts';
import { settingsEdition, valuesInForce, type Settings } from '~/features/settings/change.ts';
import {
  EVISA_VALIDITY_DAYS,
  isEligible,
  regimes,
  travelDocuments,
  type Country,
  type OtherDocument,
  type OtherTerms,
  type TravelDocument,
} from './regime.ts';

/** What the desk can decide; the last two are for documents other than ordinary passports. */
export const decidedRegimes = [...regimes, 'official_site', 'official_site_free'] as const;
type DecidedRegime = (typeof decidedRegimes)[number];

/** Regimes that grant no length of stay that we know. */
export const isWithoutStay = (regime: DecidedRegime): boolean =>
  regime === 'no_evisa' || regime === 'official_site' || regime === 'official_site_free';

export const isEvisa = (regime: DecidedRegime): regime is 'evisa' | 'evisa_with_document' =>
  regime === 'evisa' || regime === 'evisa_with_document';

/** What a nationality is granted on one travel document, as an administrator dated it. */
export const regimeValue = z
  .object({
    regime: z.enum(decidedRegimes),
    maxStayDays: z.int().min(1).max(365).nullable(),
    entries: z.enum(['single', 'multiple']).nullable(),
    source: z.string(),
    /** Where the source can be read; '' where it has no address. */
    sourceAddress: z.string(),
    note: z.string(),
    /** The day on which the source was read. */
    checkedOn: z.string().refine(isPlainDate),
  })
  // The same as the table of countries checks.
  .refine(({ regime, maxStayDays }) => maxStayDays !== null || isWithoutStay(regime))
  .refine(({ regime, entries }) => isEvisa(regime) === (entries !== null));
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
export function countriesInForce(
  first: readonly Country[],
  settings: Settings,
  at: Date,
): readonly Country[] {
  const edition = settingsEdition(settings, at);
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
  const decided = valuesInForce(settings, 'countries', at);
  if (Object.keys(decided).length === 0) return first;
  return first.map((country) => {
    const ordinary = decided[country.code];
    const others = othersOf(country.code, decided);
    if (ordinary === undefined && others === null) return country;
    return {
      ...country,
      ...(ordinary === undefined ? {} : termsOf(regimeValue.parse(ordinary))),
      ...(others === null ? {} : { others: { ...country.others, ...others } }),
    };
  });
}

function termsOf({ regime: decided, maxStayDays, entries, source, note, checkedOn }: RegimeValue) {
  const regime = decided === 'visa_free' || isEvisa(decided) ? decided : 'no_evisa';
  const validityDays = isEligible({ regime }) ? EVISA_VALIDITY_DAYS : null;
  return { regime, maxStayDays, entries, source, note, checkedOn, validityDays } as const;
}

/** What was decided about other documents; null where nothing was. */
function othersOf(
  code: string,
  decided: Readonly<Record<string, unknown>>,
): Country['others'] | null {
  const granted = travelDocuments.flatMap((document) => {
    const value = document === 'ordinary' ? undefined : decided[regimeSubject(code, document)];
    if (value === undefined) return [];
    return [[document, otherTermsOf(regimeValue.parse(value))] as const];
  });
  return granted.length === 0 ? null : Object.fromEntries(granted);
}

function otherTermsOf({ regime, maxStayDays }: RegimeValue): OtherTerms {
  if (regime === 'official_site' || regime === 'official_site_free') return regime;
  return regime === 'visa_free' && maxStayDays !== null ? maxStayDays : 'visa';
}

/** What one document is granted at a moment. */
export function regimeInForce(
  first: Country,
  document: TravelDocument,
  settings: Settings,
  at: Date,
): RegimeValue {
  const decided = valuesInForce(settings, 'countries', at)[regimeSubject(first.code, document)];
  if (decided !== undefined) return regimeValue.parse(decided);
  if (document !== 'ordinary') {
    return otherValueOf(first, document);
  }
  const { regime, maxStayDays, entries, source, note, checkedOn } = first;
  return { regime, maxStayDays, entries, source, sourceAddress: '', note, checkedOn };
}

/** What the data says of another document; without a source where it says nothing. */
function otherValueOf(
  { others, source, checkedOn }: Country,
  document: OtherDocument,
): RegimeValue {
  const terms = others?.[document];
  const isFree = typeof terms === 'number';
  return {
    regime: isFree ? 'visa_free' : terms === undefined || terms === 'visa' ? 'no_evisa' : terms,
    maxStayDays: isFree ? terms : null,
    entries: null,
    source: terms === undefined ? '' : source,
    sourceAddress: '',
    note: '',
    checkedOn,
  };
}
