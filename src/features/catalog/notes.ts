import type { Country, Regime } from './regime.ts';

/**
 * Nationalities with one more sentence to read (`catalog:notes.<code>`): ages, kinds of passport, how days are counted.
 * Each holds only under the regime it was written for, and is not shown once the desk has changed the regime. Shown,
 * never enforced; for ages see `age-notes.ts`. Sources: the notes of `data/countries.csv`.
 */
const notedUnder = {
  BLR: 'visa_free',
  BMU: 'evisa',
  CYP: 'evisa',
  DZA: 'evisa_with_document',
  EGY: 'evisa_with_document',
  FJI: 'evisa',
  GBN: 'evisa',
  GBR: 'visa_free',
  HKG: 'visa_free',
  IDN: 'visa_free',
  IRQ: 'evisa_with_document',
  KNA: 'no_evisa',
  LBY: 'evisa_with_document',
  MEX: 'evisa',
  MNP: 'no_evisa',
  MUS: 'evisa',
  TWN: 'evisa_with_document',
} as const satisfies Readonly<Record<string, Regime>>;

export type NotedCountry = keyof typeof notedUnder;

/** The code whose words are `catalog:notes.<code>`, or undefined where there is nothing to add. */
export function countryNote({
  code,
  regime,
}: Pick<Country, 'code' | 'regime'>): NotedCountry | undefined {
  return isNoted(code) && notedUnder[code] === regime ? code : undefined;
}

const isNoted = (code: string): code is NotedCountry => Object.hasOwn(notedUnder, code);

/** Codes with a note, for the test that all six languages have their words. */
export const notedCountries = Object.keys(notedUnder);

/**
 * Further conditions at the border for travellers who come with a supporting document (mfa.gov.tr, 2026-05):
 * `catalog:conditions.<code>`.
 */
export const documentPathConditions = [
  'return_ticket',
  'hotel_booking',
  'daily_funds',
  'arrival_by_air',
] as const;
