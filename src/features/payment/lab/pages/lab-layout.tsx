import { data, Outlet, useLocation } from 'react-router';
import { LabFrame } from '../lab-frame.tsx';
import { labContext } from '../context.server.ts';
import { labPageAt } from '../variants.ts';
import type { Route } from './+types/lab-layout.ts';
import '../lab.css';

/** The door of the whole lab: before any loader or action of its pages, and the same 404 as anywhere else. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    if (!(await context.get(labContext).isOpen(request))) throw data(null, { status: 404 });
    return next();
  },
];

/** Makes a browser ask at the door for every page, even one that needs nothing else of the server. */
export const loader = () => null;

export default function LabLayout() {
  const { pathname } = useLocation();
  const page = labPageAt(pathname.replace(/\/$/, ''));
  if (!page) return null;
  return (
    <LabFrame pageKey={page.key} path={page.path}>
      <Outlet />
    </LabFrame>
  );
}
