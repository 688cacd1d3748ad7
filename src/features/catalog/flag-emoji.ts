/** Distance from `A` to the first of the 26 regional indicator letters, two of which make a flag. */
const TO_REGIONAL_INDICATOR = 0x1f1e6 - 0x41;

/** The two letters of a country's flag; British overseas nationals (GBN) get Hong Kong's. */
export function flagCode(country: { code: string; iso2: string | null }): string | null {
  return country.code === 'GBN' ? 'HK' : country.iso2;
}

/** The flag as an emoji, empty where there is none. */
export function flagEmoji(country: { code: string; iso2: string | null }): string {
  const letters = flagCode(country) ?? '';
  return letters.replace(/[A-Z]/g, (letter) =>
    String.fromCodePoint(letter.charCodeAt(0) + TO_REGIONAL_INDICATOR),
  );
}
