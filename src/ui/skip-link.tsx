import type { ReactNode } from 'react';

/** The first stop of Tab: past what every page repeats. Seen while it has the focus. */
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
