import type { ReactNode } from 'react';

/**
 * The panel beside a list. As high as the screen without the header, so that opening it at the top of the page does not
 * scroll.
 */
export const Panel = ({
  id,
  labelledBy,
  children,
}: {
  id: string;
  labelledBy: string;
  children: ReactNode;
}) => (
  <section
    aria-labelledby={labelledBy}
    className="flex scroll-mt-2 flex-col wide:sticky wide:top-0 wide:max-h-[calc(100vh-var(--desk-header-size)-var(--desk-messages-size))] wide:scroll-mt-(--desk-header-size) [&_[id]]:scroll-mt-3"
    id={id}
  >
    {children}
  </section>
);

export const PanelHead = ({ children }: { children: ReactNode }) => (
  <header className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line p-5.5 [&_h2]:text-xl [&_h2]:wrap-anywhere">
    {children}
  </header>
);

export const PanelBody = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-1 gap-5.5 p-5.5 wide:min-h-0 wide:overflow-y-auto">{children}</div>
);

export const PanelActions = ({ children }: { children: ReactNode }) => (
  <footer className="grid grid-cols-1 gap-2.5 border-t border-line bg-paper px-5.5 py-4">
    {children}
  </footer>
);
