import type { Closure } from '~/base/dates/closures.ts';
import type * as z from 'zod/mini';
import type { ReadPhone } from '~/features/application/phone/phone.ts';
import type { Country } from '~/features/catalog/regime.ts';
import type { Path } from './speeds.ts';
import type { questions } from './questions.ts';

export type Field = keyof typeof questions;

/** Answers as texts in the API's form: dates YYYY-MM-DD, none as ''. */
export type Answers = Partial<Record<Field, string>>;
/** Answers that are each valid. */
export type Values = { [F in Field]?: z.output<(typeof questions)[F]> };

/** The terms of a nationality that an application depends on; those it keeps say no more when they were checked. */
export type CountryTerms = Pick<Country, 'code' | 'regime' | 'maxStayDays' | 'entries' | 'others'> &
  Partial<Pick<Country, 'checkedOn'>>;

/** What answers are checked against. `country`: the one that `countryId` names; null for an unknown one. */
export type CheckContext = {
  now: Date;
  country: CountryTerms | null;
  /** Days on which the operator closes the office, which promises skip. */
  closures: readonly Closure[];
  readPhone: ReadPhone;
};

/** The price table and the steps of a nationality; null where it gets no e-visa. */
export function pathOf(country: CountryTerms | null): Path | null {
  if (country?.regime === 'evisa') return 'without_document';
  return country?.regime === 'evisa_with_document' ? 'with_document' : null;
}

/**
 * Whether a document may have no end date: only Schengen visas and residence permits (product decision on the
 * specification).
 */
export const mayBeUnlimited = ({ supportingDocumentType, visaCountry }: Answers): boolean =>
  supportingDocumentType === 'residence' ||
  (supportingDocumentType === 'visa' && visaCountry === 'SCHENGEN');
