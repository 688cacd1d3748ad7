import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';

/**
 * The service's own modules in a graph of their own, for programs beside it: sources import as the bundler does, so it
 * loads them. `ssrLoadModule` takes a path from the project's root; close it when done.
 */
export const openSourceModules = (): Promise<ViteDevServer> =>
  createServer({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    resolve: { tsconfigPaths: true },
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
    logLevel: 'error',
  });
