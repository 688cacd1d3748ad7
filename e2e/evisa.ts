import { textPdf } from '../src/features/desk/testing/text-pdf.server.ts';
import type { Traveller } from './apply.ts';

/** An e-visa as staff might upload it: the traveller's, born on 2 May 1984, with the application's number. */
export const evisaOf = (traveller: Traveller, number: string): Buffer =>
  textPdf([
    'e-Visa',
    `Surname: ${traveller.lastName.toUpperCase()}`,
    `Given names: ${traveller.firstName.toUpperCase()}`,
    `Passport number: ${traveller.passportNumber}`,
    'Date of birth: 02/05/1984',
    `Reference: ${number}`,
  ]);
