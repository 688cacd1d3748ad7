import type { ReactNode } from 'react';

/** Where the authorities take applications themselves. */
const OFFICIAL_SITE = 'https://www.evisa.gov.tr/en/';

export function OfficialLink({ children }: { children?: ReactNode }) {
  return (
    <a dir="ltr" href={OFFICIAL_SITE} rel="external">
      {children}
    </a>
  );
}
