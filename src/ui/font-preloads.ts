import arabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2?url';
import arabicBold from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2?url';
import { preload } from 'react-dom';
import fraunces from './fonts/fraunces.woff2?url';
import frauncesTurkish from './fonts/fraunces-turkish.woff2?url';
import inter from './fonts/inter.woff2?url';
import interTurkish from './fonts/inter-turkish.woff2?url';

/** The fonts of a page's first screen, fetched beside the style sheet instead of after it. */
export function preloadFonts(language: string): void {
  const fonts = [
    ...(language === 'ar' ? [arabic, arabicBold, inter] : [inter, fraunces]),
    ...(language === 'tr' ? [interTurkish, frauncesTurkish] : []),
  ];
  for (const font of fonts) {
    preload(font, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
  }
}
