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
 * Every question of an insurance application by its API name, with the schema of a single answer; rules across answers
 * are in `check.ts`. Page, inline check and API share this table.
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
  travelDate: date(),
  returnDate: date(),
  dateOfBirth: date(),
} as const;
