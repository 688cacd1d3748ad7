import { travelDocuments } from '~/features/catalog/regime.ts';
import {
  residenceCountries,
  supportingVisaCountries,
} from '~/features/catalog/supporting-documents.ts';
import { processingTypes } from './speeds.ts';
import { purposes } from './purposes.ts';
import {
  countryCode,
  date,
  dateOrUnlimited,
  documentNumber,
  email,
  latinText,
  name,
  oneOf,
  phone,
  place,
  ticked,
} from '~/features/application/texts.ts';

/**
 * Every question of a visa application by its API name, with the schema of a single answer; rules across answers are in
 * the files `…-rules.ts`. Wizard pages, inline checks and `POST /api/applications` share this table.
 */
export const questions = {
  countryId: countryCode(),
  documentType: oneOf(travelDocuments),
  hasSupportingDocument: oneOf(['yes', 'no', 'exempt']),
  supportingDocumentType: oneOf(['visa', 'residence']),
  visaCountry: oneOf(supportingVisaCountries),
  residenceCountry: oneOf(residenceCountries),
  supportingDocumentNumber: documentNumber(),
  supportingDocumentStartDate: date(),
  supportingDocumentEndDate: dateOrUnlimited(),
  purpose: oneOf(purposes),
  arrivalDate: date(),
  processingType: oneOf(processingTypes),
  ordinaryPassport: ticked(),
  validPassport: ticked(),
  enterWithin3Months: ticked(),
  stayWithin30Days: ticked(),
  lastName: name(1, 60),
  firstName: name(1, 60),
  nameConfirmed: ticked(),
  passportNumber: documentNumber(),
  dateOfBirth: date(),
  placeOfBirth: place(2, 60),
  passportIssueDate: date(),
  passportExpiryDate: date(),
  motherName: name(2, 80),
  fatherName: name(2, 80),
  email: email(),
  phone: phone(),
  address: latinText(10, 300),
} as const;
