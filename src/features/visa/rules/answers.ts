import type { Closure } from '~/base/dates/closures.ts';
import type * as z from 'zod/mini';
import type { ReadPhone } from '~/features/application/phone/phone.ts';
import type { Country } from '~/features/catalog/regime.ts';
import type { Path } from './speeds.ts';
import type { questions } from './questions.ts';

export type Field = keyof typeof questions;

/** What was answered, as texts in the API's form: dates YYYY-MM-DD, nothing as ''. */
export type Answers = Partial<Record<Field, string>>;
/** Answers that are valid one by one. */
export type Values = { [F in Field]?: z.output<(typeof questions)[F]> };

/** What a nationality is granted, as far as an application depends on it. */
export type CountryTerms = Pick<Country, 'code' | 'regime' | 'maxStayDays' | 'entries' | 'others'>;

/** What the answers are judged against. `country`: the one that `countryId` names, null if there is none such. */
export type Situation = {
  now: Date;
  country: CountryTerms | null;
  /** On which days the operator closes the office: they make promises later. */
  closures: readonly Closure[];
  readPhone: ReadPhone;
};

/** The price table and the steps of a nationality; null where it gets no e-visa. */
export function pathOf(country: CountryTerms | null): Path | null {
  if (country?.regime === 'evisa') return 'without_document';
  return country?.regime === 'evisa_with_document' ? 'with_document' : null;
}

/** Only Schengen visas and residence permits can be without an end (product decision on the specification). */
export const mayBeUnlimited = ({ supportingDocumentType, visaCountry }: Answers): boolean =>
  supportingDocumentType === 'residence' ||
  (supportingDocumentType === 'visa' && visaCountry === 'SCHENGEN');
