import type { Application } from '~/features/application/store.server.ts';
import type { Answers } from '../rules/answers.ts';
import type { InsuranceDetails } from './store.server.ts';

/** A stored application's answers by the names of the form's questions. */
export const storedAnswers = ({
  application,
  details,
}: {
  application: Application;
  details: InsuranceDetails;
}): Answers => ({
  productId: application.service,
  firstName: application.firstName,
  lastName: application.lastName,
  email: application.email,
  phone: application.phone,
  passportNumber: details.passportNumber,
  nationality: application.countryCode,
  documentType: application.travelDocument,
  placeOfBirth: details.placeOfBirth ?? '',
  travelDate: application.startsOn,
  returnDate: details.returnDate,
  dateOfBirth: application.dateOfBirth,
});
