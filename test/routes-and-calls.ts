import type { RouteConfigEntry } from '@react-router/dev/routes';
import { api } from '../src/app/api.server.ts';
import type { Payments } from '../src/features/payment/settlement/context.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import routes from '../src/routes.ts';

type RoutePage = { pattern: string; id: string; file: string };

/** Pages by their address, as the framework combines them. */
export function routePages(entries: readonly RouteConfigEntry[], above = ''): RoutePage[] {
  return entries.flatMap(({ path, file, id, children }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const page = { pattern, file, id: id ?? file.replace(/\.\w+$/, '') };
    return [page, ...routePages(children ?? [], pattern)];
  });
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The addresses of every page, with their parameters: `/verify/:code`. */
export function pageAddresses(
  entries: readonly RouteConfigEntry[] = routes,
  above = '',
): readonly string[] {
  const all = entries.flatMap(({ path, children }) => {
    const address = path === undefined ? above : `${above}/${path.replace('*', 'nothing')}`;
    return [address || '/', ...pageAddresses(children ?? [], address)];
  });
  return [...new Set(all)];
}

/** The address of a page's data, which scripts request. */
export const dataAddress = (page: string) => (page === '/' ? '/_root.data' : `${page}.data`);

/** Every call, including those of simulated providers. */
export const apiCalls = (platform: Platform, payments: Payments) =>
  api(platform, payments)
    .routes.filter(({ path }) => !path.includes('*'))
    .flatMap(({ method, path }) =>
      (method === 'ALL' ? METHODS : [method]).map((one) => ({ method: one, path })),
    );

/**
 * An address without parameters: `value` for each, or the values stored under the pattern (separated by spaces), or an
 * `x`.
 */
export function fillAddress(
  pattern: string,
  stored: Readonly<Record<string, readonly string[]>>,
  value: string | null = null,
): string {
  const known = Object.entries(stored).find(([start]) => pattern.startsWith(start))?.[1][0];
  const values = known?.split(' ') ?? [];
  return pattern.replaceAll(/:\w+(\{[^}]*\})?/g, () => value ?? values.shift() ?? 'x');
}
