import type { ReactNode } from 'react';
import type { Language } from '~/base/languages.ts';
import { useLanguage } from './texts/use-language.tsx';

/** Where the authorities take applications themselves; in English where their site is not known to have the language. */
const officialSites: Readonly<Record<Language, string>> = {
  en: 'https://www.evisa.gov.tr/en/',
  tr: 'https://www.evisa.gov.tr/tr/',
  fr: 'https://www.evisa.gov.tr/fr/',
  de: 'https://www.evisa.gov.tr/en/',
  es: 'https://www.evisa.gov.tr/es/',
  ar: 'https://www.evisa.gov.tr/ar/',
};

export function OfficialLink({ children }: { children?: ReactNode }) {
  return (
    <a dir="ltr" href={officialSites[useLanguage()]} rel="external">
      {children}
    </a>
  );
}
