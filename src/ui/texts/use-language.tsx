import { useTranslation } from './texts.tsx';
import type { Language } from '~/base/languages.ts';

/** The language of the page. */
export const useLanguage = (): Language => useTranslation().language;
