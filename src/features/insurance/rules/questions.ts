import { travelDocuments } from '~/features/catalog/regime.ts';
import {
  countryCode,
  date,
  documentNumber,
  email,
  name,
  oneOf,
  phone,
  place,
  text,
} from '~/features/application/texts.ts';

/**
 * Every question of an insurance application under the API's name, with what makes a single answer valid; what answers
 * mean for one another stands in `check.ts`. The page, its inline checks and the call use this one table.
 */
export const questions = {
  productId: text(1, 60),
  firstName: name(1, 60),
  lastName: name(1, 60),
  email: email(),
  phone: phone(),
  passportNumber: documentNumber(),
  nationality: countryCode(),
  documentType: oneOf(travelDocuments),
  placeOfBirth: place(2, 60),
  destination: text(2, 60),
  travelDate: date(),
  returnDate: date(),
  dateOfBirth: date(),
} as const;
