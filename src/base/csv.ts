export type Cell = string | number | null;

/** Spreadsheets take a text that begins with one of these for a formula, the full-width ones included. */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",;\r\n\t']|^\s|\s$/;

/**
 * One line of a CSV file (RFC 4180), with its line end. A text that a spreadsheet could run as a formula gets an
 * apostrophe in front (OWASP, "CSV Injection"); numbers are written as they are, also below zero.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
