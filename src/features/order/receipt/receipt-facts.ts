import type { ServiceCode } from '../service-code.ts';
import type { AuthoritiesCharge } from '~/platform/config/sample-operator.ts';
import type { Translate } from '~/base/read-text.ts';
import type { Language } from '~/base/languages.ts';
import { formatMoney, usd } from '~/base/money.ts';

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

/** What a line of an order is for: "Processing (urgent, 4 hours)". */
export function lineLabel(
  t: Translate<'receipt'>,
  { code, detail }: { code: string; detail: ServiceCode | null },
): string {
  switch (code) {
    case 'evisa_fee':
      return t('line.evisa_fee');
    case 'processing_fee':
      return t('line.processing_fee', { detail: detail && wordsOnReceipt(t, detail) });
    case 'insurance_plan':
      if (detail === '1-year') return t('line.insurance_year');
      return t('line.insurance_plan', { count: Number.parseInt(detail ?? '', 10) });
    default:
      return detail ? `${code}: ${detail}` : code;
  }
}

/** A plan has no words of its own there. */
const wordsOnReceipt = (t: Translate<'receipt'>, service: ServiceCode) =>
  t([`application:service.${service}.onReceipt`, `application:service.${service}.name`]);

/**
 * Why a line is refunded, and of which amount where only a part is: "Cancelled before processing began. Paid: $95.00".
 */
export function reasonWords(
  t: Translate<'receipt'>,
  line: ReceiptLine,
  language: Language,
): string {
  const { reason = 'other', paidMinor = line.amountMinor, amountMinor } = line;
  const words = t(`reason.${reason}`, { defaultValue: t('reason.other') });
  if (paidMinor === amountMinor) return words;
  return t('part', { reason: words, amount: formatMoney(usd(paidMinor), language) });
}

/** What is numbered: a receipt confirms a payment, a credit note a refund. */
export const receiptKinds = ['receipt', 'credit_note'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

const prefixes: Readonly<Record<ReceiptKind, string>> = { receipt: 'LR', credit_note: 'LC' };

/** "LR-2026-000001". `serial` counts from 1 within a kind and a year; above 999999 it has more digits. */
export function receiptNumber(kind: ReceiptKind, year: number, serial: number): string {
  if (!Number.isInteger(serial) || serial < 1) throw new RangeError('A serial counts from 1');
  return `${prefixes[kind]}-${year}-${String(serial).padStart(6, '0')}`;
}

/**
 * Reads "LR-2026-000001", also with spaces for hyphens, in lower case and without leading zeros; null for anything
 * else.
 */
export function readReceiptNumber(
  text: string,
): { kind: ReceiptKind; year: number; serial: number } | null {
  const [, prefix, year, serial] = /^(L[RC])[\s-]*(\d{4})[\s-]+(\d{1,9})$/i.exec(text.trim()) ?? [];
  const kind = receiptKinds.find((one) => prefixes[one] === prefix?.toUpperCase());
  return kind && Number(serial) > 0 ? { kind, year: Number(year), serial: Number(serial) } : null;
}
