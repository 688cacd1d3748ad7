import type { ReactNode } from 'react';

/** The first link in the tab order: leads past what every page repeats. Visible while it has the focus. */
export function SkipLink({ children }: { children: ReactNode }) {
  return (
    <a
      className="skip-link absolute start-2 top-2 z-70 rounded-button bg-paper px-5 py-3 font-semibold text-ink not-focus:sr-only print:hidden"
      href="#main"
    >
      {children}
    </a>
  );
}
