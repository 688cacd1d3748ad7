import type { RouteConfigEntry } from '@react-router/dev/routes';
import { api } from '../src/app/api.server.ts';
import type { Payments } from '../src/features/payment/settlement/context.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import routes from '../src/routes.ts';

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

/** Where the data of a page is, which scripts ask for. */
export const dataAddress = (page: string) => (page === '/' ? '/_root.data' : `${page}.data`);

/** Every call, simulated partners included. */
export const callsOf = (platform: Platform, payments: Payments) =>
  api(platform, payments)
    .routes.filter(({ path }) => !path.includes('*'))
    .flatMap(({ method, path }) =>
      (method === 'ALL' ? METHODS : [method]).map((one) => ({ method: one, path })),
    );

/**
 * An address without parameters: `value` for each, else what is stored under the pattern (values apart by spaces), else
 * an `x`.
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
