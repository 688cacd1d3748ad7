/** What is numbered: a receipt says that we were paid, a credit note that money goes back. */
export const receiptKinds = ['receipt', 'credit_note'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

const prefixes: Readonly<Record<ReceiptKind, string>> = { receipt: 'LR', credit_note: 'LC' };

/** "LR-2026-000001". `serial` counts from 1 within a kind and a year; beyond a million it grows by a digit. */
export function receiptNumber(kind: ReceiptKind, year: number, serial: number): string {
  if (!Number.isInteger(serial) || serial < 1) throw new RangeError('A serial counts from 1');
  return `${prefixes[kind]}-${year}-${String(serial).padStart(6, '0')}`;
}
