import arabic from './fonts/arabic-400.woff2?url';
import arabicBold from './fonts/arabic-600.woff2?url';
import fraunces from './fonts/fraunces.woff2?url';
import frauncesTurkish from './fonts/fraunces-turkish.woff2?url';
import inter from './fonts/inter.woff2?url';
import interAccents from './fonts/inter-accents.woff2?url';
import interTurkish from './fonts/inter-turkish.woff2?url';

/** The fonts of a page's first screen, to be fetched beside the style sheet instead of after it. */
export const firstFonts = (language: string): readonly string[] => [
  ...(language === 'ar' ? [arabic, arabicBold, inter] : [inter, fraunces]),
  ...(['en', 'ar'].includes(language) ? [] : [interAccents]),
  ...(language === 'tr' ? [interTurkish, frauncesTurkish] : []),
];
