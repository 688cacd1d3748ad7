import type { Office } from '~/base/dates/office.ts';
import { ageOn, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { ReadPhone } from '~/features/application/phone-codes.ts';
import type { ChosenPhoneCountry } from '~/features/form/answers/controls.ts';
import { ageExemption, countryAgeNote } from '~/features/catalog/age-notes.ts';
import type { Country } from '~/features/catalog/regime.ts';
import type { PricePath } from './speeds.ts';
import type { VisaField } from './questions.ts';
import type {
  AnswerProblem as ProblemOf,
  AnswerRule as RuleOf,
} from '~/features/form/answers/check.ts';
import type { VisaValues } from './schemas.ts';

/** Answers as texts in the API's form: dates YYYY-MM-DD, none as ''. */
export type VisaAnswers = Partial<Record<VisaField, string>> & ChosenPhoneCountry;

/** The terms of a nationality that an application depends on; those it keeps say no more when they were checked. */
export type CountryTerms = Pick<Country, 'code' | 'regime' | 'maxStayDays' | 'entries' | 'others'> &
  Partial<Pick<Country, 'checkedOn'>>;

/** What answers are checked against. `country`: the one that `countryId` names; null for an unknown one. */
export type CheckContext = {
  now: Date;
  country: CountryTerms | null;
  /** Days on which the operator closes the office, which promises skip. */
  office: Office;
  readPhone: ReadPhone;
};

/** Why a nationality that needs a supporting document may go without one: the age of the traveller on arrival. */
export const EXEMPT = 'exempt';

/**
 * The price table and the steps of a traveller; null where the nationality gets no e-visa. Whoever is exempt from the
 * supporting document by age pays no charge for one.
 */
export function pricePath(
  country: CountryTerms | null,
  { hasSupportingDocument }: { hasSupportingDocument?: string | undefined },
): PricePath | null {
  if (country?.regime === 'evisa') return 'without_document';
  if (country?.regime !== 'evisa_with_document') return null;
  const isExempt =
    hasSupportingDocument === EXEMPT && ageExemption(country)?.from === 'no_document';
  return isExempt ? 'without_document' : 'with_document';
}

/** Whether the age on arrival frees a traveller of this nationality from the supporting document. */
export function isExemptByAge(
  country: Pick<Country, 'code' | 'regime'>,
  { dateOfBirth = '', arrivalDate = '' }: Pick<VisaAnswers, 'dateOfBirth' | 'arrivalDate'>,
): boolean {
  const [birth, arrival] = [parseDate(dateOfBirth), parseDate(arrivalDate)];
  if (!birth || !arrival || birth > arrival) return false;
  return countryAgeNote(country, ageOn(birth, arrival)) === 'no_document';
}

/**
 * Whether a document may have no end date: only Schengen visas and residence permits (product decision on the
 * specification).
 */
export const mayBeUnlimited = ({ supportingDocumentType, visaCountry }: VisaAnswers): boolean =>
  supportingDocumentType === 'residence' ||
  (supportingDocumentType === 'visa' && visaCountry === 'SCHENGEN');

export type VisaProblem = ProblemOf<VisaField>;
export type Rule = RuleOf<VisaField, VisaValues, CheckContext>;

export const isAfter = (a: PlainDate | undefined, b: PlainDate | undefined): boolean =>
  a !== undefined && b !== undefined && a > b;
