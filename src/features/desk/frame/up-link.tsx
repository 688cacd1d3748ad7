import type { ReactNode } from 'react';
import { Link } from '~/ui/page/link.tsx';

/** Above a page's title: leads to the page that lists this one. */
export function UpLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className="-mb-2">
      <Link className="inline-flex min-h-11 items-center" to={to}>
        {children}
      </Link>
    </p>
  );
}
