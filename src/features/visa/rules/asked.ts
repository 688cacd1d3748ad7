import { pricePath, type VisaAnswers, type CountryTerms } from './answers.ts';
import type { Requirement } from '~/features/form/answers/check.ts';
import { isRespelt } from '~/features/application/machine-readable.ts';
import { questionByField, type VisaField, type FieldWith } from './questions.ts';

type Ask = (answers: VisaAnswers, country: CountryTerms | null) => Requirement;

const requiredIf = (condition: boolean): Requirement => (condition ? 'required' : 'no');

const onDocumentPath: Ask = (answers, country) =>
  requiredIf(pricePath(country, answers) === 'with_document');

const holdsDocument = (answers: VisaAnswers, country: CountryTerms | null) =>
  pricePath(country, answers) === 'with_document' && answers.hasSupportingDocument === 'yes';

const holds =
  (type: 'visa' | 'residence') => (answers: VisaAnswers, country: CountryTerms | null) =>
    holdsDocument(answers, country) && answers.supportingDocumentType === type;

const [holdsVisa, holdsResidence] = [holds('visa'), holds('residence')];

const afterDocumentPlace: Ask = (answers, country) =>
  requiredIf(holdsVisa(answers, country) || holdsResidence(answers, country));

/** When those questions are asked that depend on other answers. */
const asks: Readonly<Record<FieldWith<{ asked: 'sometimes' }>, Ask>> = {
  // Also of those who are exempt by age: the answer says so.
  hasSupportingDocument: (_, country) => requiredIf(country?.regime === 'evisa_with_document'),
  supportingDocumentType: (answers, country) => requiredIf(holdsDocument(answers, country)),
  visaCountry: (answers, country) => requiredIf(holdsVisa(answers, country)),
  residenceCountry: (answers, country) => requiredIf(holdsResidence(answers, country)),
  supportingDocumentNumber: afterDocumentPlace,
  supportingDocumentStartDate: (answers, country) => {
    if (!holdsDocument(answers, country)) return 'no';
    const schengen = holdsVisa(answers, country) && answers.visaCountry === 'SCHENGEN';
    return schengen ? 'required' : 'optional';
  },
  supportingDocumentEndDate: afterDocumentPlace,
  purpose: (answers, country) => requiredIf(pricePath(country, answers) === 'without_document'),
  ordinaryPassport: onDocumentPath,
  validPassport: onDocumentPath,
  enterWithin3Months: onDocumentPath,
  stayWithin30Days: onDocumentPath,
  nameConfirmed: ({ firstName = '', lastName = '' }) =>
    requiredIf(isRespelt(firstName) || isRespelt(lastName)),
};

const askedBy: Readonly<Partial<Record<VisaField, Ask>>> = asks;

/** Whether a question is asked, given these answers. */
export const fieldRequirement = (
  field: VisaField,
  answers: VisaAnswers,
  country: CountryTerms | null,
): Requirement =>
  askedBy[field]?.(answers, country) ??
  (questionByField(field).asked === 'optional' ? 'optional' : 'required');
