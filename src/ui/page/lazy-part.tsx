import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { fetchAhead } from './older-page.ts';

/**
 * A part of a page that is fetched when it is shown. A page that was opened before a release may not find it any more:
 * then what is in its place, or was drawn by the server, stays there. `needed` says that an answer is not understood
 * without it: it is fetched ahead, and where it is gone the server draws the answers (`older-page.ts`).
 */
export function lazyPart<Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  { needed = false }: { needed?: boolean } = {},
): LazyExoticComponent<ComponentType<Props>> {
  if (needed) fetchAhead(fetchPart);
  return lazy(async () => ({ default: await pendingOnFailure(fetchPart()) }));
}

/**
 * A promise that never settles where the file fails: React then suspends that part alone; an error would replace the
 * page.
 */
export const pendingOnFailure = <T,>(file: Promise<T>): Promise<T> =>
  file.catch(() => new Promise<never>(() => undefined));
