import type { ServiceCode } from '../service-code.ts';
import type { AuthoritiesCharge } from '~/platform/config/sample-operator.ts';

/** `position`: which traveller of the order, from 1, as two may have the same name. */
export type ReceiptTraveller = { position: number; name: string };

/** One line: what was paid for, or what is refunded of it and why. Amounts in minor units. */
export type ReceiptLine = {
  applicationNumber: string;
  code: string;
  detail: ServiceCode | null;
  amountMinor: number;
  /** The traveller, in an order of several. */
  traveller?: ReceiptTraveller;
  /** On a credit note: the code of the reason (`creditReason`), and what had been paid for the line. */
  reason?: string;
  paidMinor?: number;
};

/**
 * All that a receipt or credit note says, as of the day it was issued: it stays the same when the operator moves or a
 * traveller's data are deleted. Moments are ISO 8601 in UTC.
 */
export type ReceiptFacts = {
  language: string;
  operator: { legalName: string; address: string; taxNumber: string };
  payer: string;
  orderNumber: string;
  lines: ReceiptLine[];
  totalMinor: number;
  currency: 'USD';
  /** The moment of payment; for a credit note, of the refund. */
  at: string;
  provider: string;
  /** The provider's id of the payment or refund. */
  transaction: string | null;
  cardLast4: string | null;
  /** Whether the amounts include what the Turkish authorities charge; left out on receipts from before it was said. */
  authoritiesCharge?: AuthoritiesCharge;
  /** A test payment: no money moved. */
  isTest: boolean;
  /** On a credit note: the receipt that it corrects. */
  corrects?: { number: string; at: string };
};
