/** A left-to-right run inside a sentence of either direction: an e-mail address, a number (Unicode UAX 9, isolates). */
export const isolated = (run: string): string => (run === '' ? '' : `\u2066${run}\u2069`);

/** The same text without the marks, which PDFs and data for machines would show as letters. */
export const withoutIsolates = (text: string): string => text.replace(/[\u2066-\u2069]/g, '');
