import { PHONE_COUNTRY } from '~/features/application/phone/phone-codes.ts';
import { writePhone } from '~/features/application/phone/read-phone.server.ts';
import type { Typed } from './controls.ts';

/**
 * Gives a typed phone number its country code while the country that it is read by stands beside it; where none is
 * chosen there, it is read by the nationality. Unchanged where no phone number was asked.
 */
export const withCountryCode = (typed: Typed, nationality = ''): Typed =>
  typed.phone === undefined
    ? typed
    : { ...typed, phone: writePhone(typed.phone, typed[PHONE_COUNTRY] || nationality) };
