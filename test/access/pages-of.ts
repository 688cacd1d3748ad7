import type { RouteConfigEntry } from '@react-router/dev/routes';

export type Page = { pattern: string; id: string; file: string };

/** Pages by their address, as the framework combines them. */
export function pagesOf(entries: readonly RouteConfigEntry[], above = ''): Page[] {
  return entries.flatMap(({ path, file, id, children }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const page = { pattern, file, id: id ?? file.replace(/\.\w+$/, '') };
    return [page, ...pagesOf(children ?? [], pattern)];
  });
}
