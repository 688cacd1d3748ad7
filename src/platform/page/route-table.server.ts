import type { ServerBuild } from 'react-router';

type BuiltRoute = NonNullable<ServerBuild['routes'][string]>;
export type RouteModule = BuiltRoute['module'];

/** A page or file with an address, and the modules round it. */
export type PageRoute = {
  id: string;
  /** As `routes.ts` has it, with a slash in front. */
  path: string;
  /** Outermost first, itself last; the document's own module is not among them. */
  modules: readonly RouteModule[];
  /** Ids of the same. */
  ids: readonly string[];
};

export type RouteMatch = { route: PageRoute; params: Readonly<Record<string, string | undefined>> };

const ROOT = 'root';

/**
 * Finds the route of a path without language, as `routes.ts` names them: capitals do not matter, a route without parameters
 * goes before one with, `*` is what nothing else has.
 */
export function makeRouteTable(build: ServerBuild): (pathname: string) => RouteMatch | undefined {
  const exact = new Map<string, PageRoute>();
  const patterns: { pattern: RegExp; names: readonly string[]; route: PageRoute }[] = [];
  let rest: PageRoute | undefined;

  const all = Object.values(build.routes).filter((route) => route !== undefined);
  const isLeaf = ({ path, index, module }: BuiltRoute) =>
    index === true || (path !== undefined && (module.default ?? module.loader ?? module.action));
  for (const leaf of all.filter(isLeaf)) {
    const line = lineTo(build, leaf);
    const path = line
      .flatMap(({ path: part = '' }) => part.split('/'))
      .filter((part) => part !== '')
      .join('/');
    const inside = line.filter(({ id }) => id !== ROOT);
    const route: PageRoute = {
      id: leaf.id,
      path: `/${path}`,
      modules: inside.map(({ module }) => module),
      ids: inside.map(({ id }) => id),
    };
    if (path === '*') rest = route;
    else if (path.includes(':')) patterns.push({ ...patternOf(path), route });
    else exact.set(`/${path.toLowerCase()}`, route);
  }

  return (pathname) => {
    const known = exact.get(pathname) ?? exact.get(pathname.toLowerCase());
    if (known) return { route: known, params: {} };
    for (const { pattern, names, route } of patterns) {
      const found = pattern.exec(pathname);
      if (found) {
        const values = names.map((name, at) => [name, decoded(found[at + 1])] as const);
        return { route, params: Object.fromEntries(values) };
      }
    }
    return rest && { route: rest, params: { '*': pathname.slice(1) } };
  };
}

/** From the document's own route down to this one. */
function lineTo(build: ServerBuild, leaf: BuiltRoute): readonly BuiltRoute[] {
  const parent = leaf.parentId === undefined ? undefined : build.routes[leaf.parentId];
  return parent ? [...lineTo(build, parent), leaf] : [leaf];
}

/** `status/:number` and `terms/:version?` as expressions. */
function patternOf(path: string): { pattern: RegExp; names: readonly string[] } {
  const names: string[] = [];
  const parts = path.split('/').map((part) => {
    const [, name, optional] = /^:(\w+)(\?)?$/.exec(part) ?? [];
    if (name === undefined) return `/${part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`;
    names.push(name);
    return optional ? '(?:/([^/]+))?' : '/([^/]+)';
  });
  return { pattern: new RegExp(`^${parts.join('')}$`, 'i'), names };
}

/** What cannot be decoded is taken as it stands. */
function decoded(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
