import { readPhone } from '~/features/application/read-phone.server.ts';
import type { InsuranceAnswers, CheckContext } from '../rules/answers.ts';
import { plans } from '../rules/plans.ts';

/** A Monday in working hours. */
export const NOW = new Date('2026-11-23T10:00:00Z');

export const checkContext: CheckContext = {
  now: NOW,
  plans,
  isNationality: (code) => ['MEX', 'DEU', 'CUB'].includes(code),
  readPhone,
  photos: 0,
};

/** A traveller, with the names that page and call share. */
export const adult = {
  firstName: 'Sofía',
  lastName: 'Hernández Ruiz',
  email: 'sofia.hernandez@correo.example',
  phone: '+52 33 1234 5678',
  passportNumber: 'G38215640',
  nationality: 'MEX',
};

/** Valid answers on that day: an adult, ten days. */
export const completeAnswers: InsuranceAnswers = {
  productId: '14-days',
  ...adult,
  documentType: 'ordinary',
  placeOfBirth: 'Guadalajara',
  travelDate: '2026-12-12',
  returnDate: '2026-12-21',
  dateOfBirth: '1991-07-14',
};
