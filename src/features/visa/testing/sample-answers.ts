import { toPlainDate, UTC } from '~/base/dates/dates.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { EXEMPT, pricePath, type VisaAnswers, type CountryTerms } from '../rules/answers.ts';

/** A Monday in working hours, on which the answers below are valid. */
export const NOW = new Date('2026-11-23T10:00:00Z');

const terms = (
  code: string,
  regime: CountryTerms['regime'],
  maxStayDays: number | null,
  entries: CountryTerms['entries'],
): CountryTerms & Pick<Country, 'checkedOn'> => ({
  code,
  regime,
  maxStayDays,
  entries,
  checkedOn: toPlainDate(NOW, UTC),
});

export const countries = {
  southAfrica: terms('ZAF', 'evisa', 30, 'multiple'),
  egypt: terms('EGY', 'evisa_with_document', 30, 'single'),
  libya: terms('LBY', 'evisa_with_document', 30, 'single'),
  india: terms('IND', 'evisa_with_document', 30, 'single'),
  germany: terms('DEU', 'visa_free', 90, null),
  cuba: terms('CUB', 'no_evisa', null, null),
};

const person: VisaAnswers = {
  documentType: 'ordinary',
  arrivalDate: '2027-01-15',
  processingType: 'standard',
  lastName: 'Nkosi',
  firstName: 'Thandi',
  passportNumber: 'A01234567',
  dateOfBirth: '1990-05-17',
  placeOfBirth: 'Durban',
  passportIssueDate: '2022-03-01',
  passportExpiryDate: '2032-02-28',
  motherName: 'Zanele Nkosi',
  fatherName: 'Sipho Nkosi',
  email: 'thandi.nkosi@mail.example',
  phone: '+27 31 555 0142',
  address: '12 Marine Parade, 4001 Durban',
};

const document: VisaAnswers = {
  hasSupportingDocument: 'yes',
  supportingDocumentType: 'visa',
  visaCountry: 'SCHENGEN',
  supportingDocumentNumber: 'DEU1234567',
  supportingDocumentStartDate: '2026-06-01',
  supportingDocumentEndDate: '2028-05-31',
  ordinaryPassport: 'yes',
  validPassport: 'yes',
  enterWithin3Months: 'yes',
  stayWithin30Days: 'yes',
};

/** Answers of an Egyptian whose age on arrival exempts from the supporting document. */
export const exemptAnswers: VisaAnswers = {
  countryId: 'EGY',
  ...person,
  hasSupportingDocument: EXEMPT,
  purpose: 'tourism',
  dateOfBirth: '1966-05-17',
};

/** Answers without problems for a nationality that gets an e-visa. */
export const completeAnswers = (country: CountryTerms): VisaAnswers => ({
  countryId: country.code,
  ...person,
  ...(pricePath(country, {}) === 'with_document' ? document : { purpose: 'tourism' }),
});
