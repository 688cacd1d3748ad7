import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';

/**
 * Loads the service's own modules for programs beside it, through the bundler, whose import paths the sources use.
 * `ssrLoadModule` takes a path from the project's root; close it when done.
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
