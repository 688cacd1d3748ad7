import type { PlainDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import type { Terms } from '../rules/terms.ts';

/** All that a certificate says, in the applicant's language where it has one. */
export type CertificateFacts = {
  language: Language;
  number: string;
  planDays: number;
  firstName: string;
  lastName: string;
  dateOfBirth: PlainDate;
  /** Written out. */
  nationality: string;
  passportNumber: string;
  from: PlainDate;
  /** The last insured day. */
  until: PlainDate;
  /** Written out. */
  destination: string;
  premium: Money;
  paidOn: PlainDate;
  issuedOn: PlainDate;
  cancelledOn: PlainDate | null;
  terms: Terms;
  operator: { legalName: string; address: string; taxNumber: string };
  /** Where the very version of the terms stands. */
  termsAddress: string;
  /** Where anybody sees whether it is valid. */
  verifyAddress: string;
};
