import type { PlainDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import type { Terms } from '../rules/terms.ts';

/** All that a certificate says, in the applicant's language where texts depend on it. */
export type CertificateFacts = {
  language: Language;
  number: string;
  planDays: number;
  firstName: string;
  lastName: string;
  dateOfBirth: PlainDate;
  /** The country's name. */
  nationality: string;
  passportNumber: string;
  from: PlainDate;
  /** The last insured day. */
  until: PlainDate;
  /** The country's name, or what was typed. */
  destination: string;
  premium: Money;
  paidOn: PlainDate;
  issuedOn: PlainDate;
  cancelledOn: PlainDate | null;
  terms: Terms;
  operator: { legalName: string; address: string; taxNumber: string };
  /** The address of this version of the terms. */
  termsAddress: string;
  /** The address at which anybody can check that the certificate is valid. */
  verifyAddress: string;
};
