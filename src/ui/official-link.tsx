import type { ReactNode } from 'react';
import { factsOf } from '~/base/languages.ts';
import { useLanguage } from './texts/use-language.tsx';

export function OfficialLink({ children }: { children?: ReactNode }) {
  return (
    <a dir="ltr" href={factsOf(useLanguage()).officialSite} rel="external">
      {children}
    </a>
  );
}
