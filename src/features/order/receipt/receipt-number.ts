/** What is numbered: a receipt says that we were paid, a credit note that money goes back. */
export const receiptKinds = ['receipt', 'credit_note'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

const prefixes: Readonly<Record<ReceiptKind, string>> = { receipt: 'LR', credit_note: 'LC' };

/** "LR-2026-000001". `serial` counts from 1 within a kind and a year; beyond a million it grows by a digit. */
export function receiptNumber(kind: ReceiptKind, year: number, serial: number): string {
  if (!Number.isInteger(serial) || serial < 1) throw new RangeError('A serial counts from 1');
  return `${prefixes[kind]}-${year}-${String(serial).padStart(6, '0')}`;
}

/** Reads "LR-2026-000001", also with blanks for hyphens, in small letters and without leading noughts; null for anything else. */
export function readReceiptNumber(
  text: string,
): { kind: ReceiptKind; year: number; serial: number } | null {
  const [, prefix, year, serial] = /^(L[RC])[\s-]*(\d{4})[\s-]+(\d{1,9})$/i.exec(text.trim()) ?? [];
  const kind = receiptKinds.find((one) => prefixes[one] === prefix?.toUpperCase());
  return kind && Number(serial) > 0 ? { kind, year: Number(year), serial: Number(serial) } : null;
}
