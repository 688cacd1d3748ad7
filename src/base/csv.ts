import { toDecimal, type Money } from './money.ts';

/** An amount is written with two places, without its currency. */
export type CsvCell = string | number | Money | null;

/** Spreadsheets take a text that begins with one of these for a formula, the full-width ones included. */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",;\r\n\t']|^\s|\s$/;

/**
 * One line of a CSV file (RFC 4180), with its line end. A text that a spreadsheet could run as a formula gets an
 * apostrophe in front (OWASP, "CSV Injection"); numbers and amounts are written as they are, also below zero.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(written).join(',')}\r\n`;

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return toDecimal(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
