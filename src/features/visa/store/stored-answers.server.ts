import type { Application } from '~/features/application/store.server.ts';
import { EXEMPT, isExemptByAge, type Answers } from '../rules/answers.ts';
import type { VisaDetails } from './store.server.ts';

/** A stored application as answers; confirmations that submitting required are given. */
export function storedAnswers(application: Application, details: VisaDetails): Answers {
  const { supportingDocumentType: type, supportingDocumentCountry: issuer } = details;
  const isExempt = isExemptByAge(
    { code: application.countryCode, regime: 'evisa_with_document' },
    { dateOfBirth: application.dateOfBirth, arrivalDate: application.startsOn },
  );
  return {
    countryId: application.countryCode,
    documentType: application.travelDocument,
    hasSupportingDocument: type === null ? (isExempt ? EXEMPT : '') : 'yes',
    supportingDocumentType: type ?? '',
    visaCountry: type === 'visa' ? (issuer ?? '') : '',
    residenceCountry: type === 'residence' ? (issuer ?? '') : '',
    supportingDocumentNumber: details.supportingDocumentNumber ?? '',
    supportingDocumentStartDate: details.supportingDocumentStartDate ?? '',
    supportingDocumentEndDate: details.supportingDocumentEndDate ?? '',
    purpose: details.purpose ?? '',
    arrivalDate: application.startsOn,
    processingType: application.service,
    ordinaryPassport: 'yes',
    validPassport: 'yes',
    enterWithin3Months: 'yes',
    stayWithin30Days: 'yes',
    nameConfirmed: 'yes',
    lastName: application.lastName,
    firstName: application.firstName,
    passportNumber: details.passportNumber,
    dateOfBirth: application.dateOfBirth,
    placeOfBirth: details.placeOfBirth,
    passportIssueDate: details.passportIssueDate,
    passportExpiryDate: details.passportExpiryDate,
    motherName: details.motherName,
    fatherName: details.fatherName,
    email: application.email,
    phone: application.phone,
    address: details.address,
  };
}
