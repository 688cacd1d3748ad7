import type { ReactNode } from 'react';
import { languageFacts } from '~/base/languages.ts';
import { useLanguage } from './texts/use-language.tsx';

export function OfficialLink({ children }: { children?: ReactNode }) {
  return (
    <a dir="ltr" href={languageFacts(useLanguage()).officialSite} rel="external">
      {children}
    </a>
  );
}
