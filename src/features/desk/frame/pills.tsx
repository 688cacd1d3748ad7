import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '~/ui/class-names.ts';
import { Link } from '~/ui/page/link.tsx';

/** A row of links, one of which is current. */
export function Pills({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <nav aria-label={label} className={classNames('flex flex-wrap gap-1.5 py-1.5', className)}>
      {children}
    </nav>
  );
}

export const Pill = (props: Omit<ComponentProps<typeof Link>, 'className'>) => (
  <Link
    {...props}
    className="inline-flex min-h-8 items-center rounded-full border border-line-2 px-3.5 text-fine text-ink no-underline hover:bg-turquoise-pale current:border-ink current:bg-ink current:font-semibold current:text-paper max-wide:min-h-11"
  />
);
