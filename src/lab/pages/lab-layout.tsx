import type { ReactNode } from 'react';
import { data } from 'react-router';
import { usePage } from '~/ui/page/page-context.tsx';
import { LabFrame } from '../paypal-page/lab-frame.tsx';
import { labContext } from '../context.server.ts';
import { labPageAt } from '../paypal-page/variants.ts';
import type { Route } from './+types/lab-layout.ts';
import '~/ui/css/staff.css';

/** Closes the lab where it is not open, before any loader or action of its pages, with an ordinary 404. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    if (!(await context.get(labContext).isOpen(request))) throw data(null, { status: 404 });
    return next();
  },
];

function LabLayout({ children }: { children: ReactNode }) {
  const page = labPageAt(usePage().address.pathname);
  if (!page) return null;
  return (
    <LabFrame pageKey={page.key} path={page.path}>
      {children}
    </LabFrame>
  );
}

export { LabLayout as default };
