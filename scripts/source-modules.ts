import { join } from 'node:path';
import { createServer, isRunnableDevEnvironment } from 'vite';

export type SourceModules = {
  /** Takes a path from the project's root; name its type, `load<typeof import('…')>`, so that a rename is noticed. */
  load: <Module>(path: string) => Promise<Module>;
  close: () => Promise<void>;
};

/** Loads the service's own modules for programs beside it, through the bundler, whose import paths the sources use. */
export async function openSourceModules(): Promise<SourceModules> {
  const vite = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    resolve: { tsconfigPaths: true },
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
    logLevel: 'error',
  });
  const { ssr } = vite.environments;
  if (!ssr || !isRunnableDevEnvironment(ssr)) {
    throw new Error('Vite has no environment for the server');
  }
  const { runner } = ssr;
  return { load: (path) => runner.import(path), close: () => vite.close() };
}
