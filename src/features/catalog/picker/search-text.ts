/** Letters that Unicode does not decompose into a base letter and a mark. */
const plainLetters: Record<string, string> = {
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  // Arabic letters that people use for one another.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};

/**
 * Text as it is compared in a search: small letters without accents, words apart by one space, "St" as "Saint".
 * Idempotent. "CÔTE D’IVOIRE" → "cote d ivoire", "İran" → "iran", "أُستراليا" → "استراليا".
 */
export function searchText(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\p{M}\u0640]/gu, '')
      .replace(/[ıøłđðßæœةىیک]/g, (letter) => plainLetters[letter] ?? letter)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      // At the end of several words it may be the beginning of another: "United St".
      .replace(/^st(?= |$)|( )st(?= )/g, '$1saint')
  );
}

/**
 * A search text without the article that names of countries have in sentences, or that lists set behind them: "the
 * bahamas", "les bahamas", "gambia the". Unchanged where nothing else is left.
 */
export const withoutSentenceArticle = (text: string): string =>
  text.replace(/^(?:the|les?|la|l|das|der|die|el|las|los) (?=.)| the$/g, '');
