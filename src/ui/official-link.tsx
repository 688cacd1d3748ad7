import type { ReactNode } from 'react';
import { languageFacts } from '~/base/languages.ts';
import { useTranslation } from './texts/texts.tsx';

export function OfficialLink({ children }: { children?: ReactNode }) {
  const { language } = useTranslation();
  return (
    <a dir="ltr" href={languageFacts(language).officialSite} rel="external">
      {children}
    </a>
  );
}
