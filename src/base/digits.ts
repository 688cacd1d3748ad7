const FIRST_ARABIC_INDIC = 0x0660;
const FIRST_PERSIAN = 0x06f0;

/** Arabic-Indic (٠-٩) and Persian (۰-۹) digits as Latin ones; everything else as it was. */
export function latinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (code < FIRST_PERSIAN ? FIRST_ARABIC_INDIC : FIRST_PERSIAN));
  });
}
