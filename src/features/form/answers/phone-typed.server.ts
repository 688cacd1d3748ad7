import { PHONE_COUNTRY } from '~/features/application/phone-codes.ts';
import { writePhone } from '~/features/application/read-phone.server.ts';
import type { Typed } from './controls.ts';

/**
 * Adds the country code to a phone number now, while the country chosen beside it is known; without one it is read as a
 * number of `nationality`. Changes nothing where no phone number was asked.
 */
export const withCountryCode = (typed: Typed, nationality = ''): Typed =>
  typed.phone === undefined
    ? typed
    : { ...typed, phone: writePhone(typed.phone, typed[PHONE_COUNTRY] || nationality) };
