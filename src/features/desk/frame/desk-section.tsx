import type { ReactNode } from 'react';
import { classNames } from '~/ui/class-names.ts';

/** A section with a heading, to which `id` links. */
export function DeskSection({
  id,
  title,
  className,
  children,
}: {
  id: string;
  title: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={classNames('mt-7 grid grid-cols-1 gap-3', className)}>
      <h2 className="scroll-mt-4" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Buttons and links in one row. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">{children}</div>
);

/** The column's heading, shown in an entry of a list on narrow screens. */
export const EntryLabel = ({ children }: { children: ReactNode }) => (
  <span className="block text-tiny text-ink-2 wide:hidden">{children}</span>
);

/** A column of sections with forms, in a readable width. */
export const Column = ({ children }: { children: ReactNode }) => (
  <div className="grid max-w-[960px] grid-cols-1 gap-4 [&_h2]:text-label [&_section]:mt-2 [&_section]:grid [&_section]:grid-cols-[minmax(0,640px)] [&_section]:gap-3 [&_section]:border-t [&_section]:border-line [&_section]:pt-6 [&_section_form]:grid [&_section_form]:justify-items-start [&_section_form]:gap-4">
    {children}
  </div>
);
