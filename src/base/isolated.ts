/** A left-to-right run inside a sentence of either direction: an e-mail address, a number (Unicode UAX 9, isolates). */
export const isolated = (run: string): string => (run === '' ? '' : `\u2066${run}\u2069`);

/** The same text without the marks, which PDFs and data for machines would show as letters. */
export const withoutIsolates = (text: string): string => text.replace(/[\u2066-\u2069]/g, '');

/**
 * A left-to-right run in a PDF of either direction: a name, an address or a number that an operator gives, unless it is
 * Arabic. The drawing library shows isolates as letters, but not these marks: beside one, digits, spaces and signs count
 * as Latin text (Unicode UAX 9, W7 and N1).
 */
export const leftToRight = (run: string): string =>
  run === '' || /\p{Script=Arabic}/u.test(run) ? run : `\u200e${run}\u200e`;
