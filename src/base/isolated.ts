/** A left-to-right run inside a sentence of either direction: an e-mail address, a number (Unicode UAX 9, isolates). */
export const isolated = (run: string): string => (run === '' ? '' : `\u2066${run}\u2069`);
