import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../src/routes.ts';
import type { DeskCases } from './desk-cases.ts';

/** The pattern of every page of the desk; without those that answer with a file. */
export function deskPages(entries: readonly RouteConfigEntry[] = routes, above = ''): string[] {
  return entries.flatMap(({ path, file, children = [] }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const isLookedAt =
      path !== undefined && /^\/admin(\/|$)/.test(pattern) && file.endsWith('.tsx');
    return [...(isLookedAt ? [pattern] : []), ...deskPages(children, pattern)];
  });
}

/** The addresses of a pattern's stored objects; without parameters the pattern itself. */
export function deskAddresses(
  pattern: string,
  { staff, numbers, decision, requests }: DeskCases,
): string[] {
  const { pending, unpaid, processing, approved, rejected, waiting, minor } = numbers;
  const visas = [pending, unpaid, processing, approved, rejected, waiting];
  const stored: Record<string, string[]> = {
    '/admin': ['/admin?tab=insurance', '/admin?nationality=JAM'],
    '/admin/applications/:number': [
      ...visas.map(({ number }) => `/admin/applications/${number}`),
      `/admin/applications/${minor.number}?tab=insurance`,
    ],
    '/admin/applications/:number/copy': [`/admin/applications/${pending.number}/copy`],
    '/admin/applications/:number/decision/:id': [`/admin/applications/${decision}`],
    '/admin/accounts/:id': [`/admin/accounts/${staff.clerk.id}`],
    '/admin/orders/:number': [`/admin/orders/${processing.orderNumber}`],
    '/admin/settings/countries/:code': ['/admin/settings/countries/ZAF'],
    '/admin/settings/templates/:template': ['/admin/settings/templates/rejection.duplicate'],
    '/admin/privacy/:id': requests.map((id) => `/admin/privacy/${id}`),
    '/admin/invitation/:token': ['/admin/invitation/over'],
    '/admin/reset/:token': ['/admin/reset/over'],
  };
  const known = stored[pattern];
  if (!known && pattern.includes(':')) throw new Error(`Nothing is stored under ${pattern}`);
  return known ?? [pattern];
}
