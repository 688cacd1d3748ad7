/** `position`: which traveller of the order, from 1; two may bear one name. */
export type ReceiptTraveller = { position: number; name: string };

/** One line: what was paid for, or what goes back of it and why. Amounts in minor units. */
export type ReceiptLine = {
  applicationNumber: string;
  code: string;
  detail: string | null;
  amountMinor: number;
  /** For whom, of an order of several travellers. */
  traveller?: ReceiptTraveller;
  /** Of a credit note: the code of why it goes back (`creditReason`), and what had been paid for it. */
  reason?: string;
  paidMinor?: number;
};

/**
 * All that a receipt or credit note says, as it was on the day it was issued: the operator may move and a traveller's data
 * be erased, the paper stays. Moments are ISO 8601 in UTC.
 */
export type ReceiptFacts = {
  language: string;
  operator: { legalName: string; address: string; taxNumber: string };
  payer: string;
  orderNumber: string;
  lines: ReceiptLine[];
  totalMinor: number;
  currency: 'USD';
  /** When it was paid; of a credit note, when the refund was settled. */
  at: string;
  provider: string;
  /** The payment partner's id of the payment or of the refund. */
  transaction: string | null;
  cardLast4: string | null;
  /** Nothing but a test: no money moved. */
  isTest: boolean;
  /** Of a credit note: the receipt of what was paid. */
  corrects?: { number: string; at: string };
};
