import type { ReactNode } from 'react';
import { data } from 'react-router';
import { usePage } from '~/ui/page/page-context.tsx';
import { LabFrame } from '../paypal-page/lab-frame.tsx';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { labContext } from '../context.server.ts';
import { labPageByPath } from '../paypal-page/variants.ts';
import type { Route } from './+types/lab-layout.ts';
import '~/ui/css/staff.css';

/**
 * Closes the lab where it is not open, before any loader or action of its pages, with an ordinary 404. A session that has
 * opened a page of it may start payments by call without naming an order.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    const lab = context.get(labContext);
    if (!(await lab.isOpen(request))) throw data(null, { status: 404 });
    const response = await next();
    if (response instanceof Response) giveCookie(response.headers, lab.session(request));
    return response;
  },
];

function LabLayout({ children }: { children: ReactNode }) {
  const page = labPageByPath(usePage().address.pathname);
  if (!page) return null;
  return (
    <LabFrame pageKey={page.key} path={page.path}>
      {children}
    </LabFrame>
  );
}

export { LabLayout as default };
