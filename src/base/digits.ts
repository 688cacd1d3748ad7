const DIGIT = /\p{Nd}/u;

/**
 * Decimal digits of every script (Arabic-Indic, Persian, Devanagari, full-width …) as Latin ones; everything else as it
 * was. Unicode lists the ten digits of a script together, from zero on (The Unicode Standard, 4.6).
 */
export function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let first = code;
    while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
    return String((code - first) % 10);
  });
}
