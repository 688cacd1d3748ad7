import type { PlainDate } from '~/base/dates/dates.ts';

/** How a nationality enters Türkiye on an ordinary passport. `no_evisa` means a sticker visa from a consulate. */
export const regimes = ['visa_free', 'evisa', 'evisa_with_document', 'no_evisa'] as const;
export type Regime = (typeof regimes)[number];

export const otherDocuments = ['diplomatic', 'service', 'special', 'identity'] as const;
export type OtherDocument = (typeof otherDocuments)[number];

export const travelDocuments = ['ordinary', ...otherDocuments] as const;
export type TravelDocument = (typeof travelDocuments)[number];

/**
 * What a document other than an ordinary passport is granted: days without a visa; an e-visa that the official site
 * alone issues to it, at a price or free; or a visa from a consulate.
 */
export type OtherTerms = number | 'official_site' | 'official_site_free' | 'visa';

export const parseTravelDocument = (name: string | undefined): TravelDocument | null =>
  travelDocuments.find((document) => document === name) ?? null;

export type VisaEntries = 'single' | 'multiple';

/** Days an e-visa can be used, from the arrival date on it. The same for every nationality (evisa.gov.tr FAQ). */
export const EVISA_VALIDITY_DAYS = 180;

export type Country = {
  /** The id that the API calls `countryId`: the same letters as `code`. */
  id: string;
  /** ISO 3166 alpha-3, or the passport's nationality code where ISO has none: GBN (ICAO 9303), XKX. */
  code: string;
  /** Null for a nationality that is no ISO country of its own (GBN). */
  iso2: string | null;
  /** In English. Other languages: `countryName`. */
  name: string;
  regime: Regime;
  /** Longest stay in days, null where a consulate decides. */
  maxStayDays: number | null;
  /** Null without an e-visa. */
  entries: VisaEntries | null;
  validityDays: typeof EVISA_VALIDITY_DAYS | null;
  /** What other documents are granted, where a source says it; nothing is known of those that are left out. */
  others?: Readonly<Partial<Record<OtherDocument, OtherTerms>>>;
  /** For the desk: where the sources disagree, what to confirm. Never shown to travellers. */
  note: string;
  /** For the desk: where the facts come from, with dates. */
  source: string;
  /** The day on which the facts were last compared with their source. */
  checkedOn: PlainDate;
};

/**
 * Stays of up to this many days are counted anew at each visit; longer ones in any 180 days (mfa.gov.tr, 2026-05: all
 * nationalities; Law 6458 art. 11/1 caps both at 90 in any 180).
 */
const MAX_PER_VISIT_DAYS = 30;

/** How a stay without a visa is counted. */
export const stayRule = (stayDays: number): 'visit' | 'any180' =>
  stayDays <= MAX_PER_VISIT_DAYS ? 'visit' : 'any180';

/** Whether the e-visa exists for this nationality, with or without a supporting document. */
export function isEligible(country: Pick<Country, 'regime'>): boolean {
  return country.regime === 'evisa' || country.regime === 'evisa_with_document';
}

export function needsSupportingDocument(country: Pick<Country, 'regime'>): boolean {
  return country.regime === 'evisa_with_document';
}
