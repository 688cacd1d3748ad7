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
