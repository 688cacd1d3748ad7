// Development server: runs the sources without a build and applies changes at once. All modules of ours are loaded
// through Vite, so that server and pages share them.
import { createServer as createHttpServer } from 'node:http';
import type { ServerBuild } from 'react-router';
import { createServer as createVite, isRunnableDevEnvironment } from 'vite';

const server = createHttpServer();
// Hot reloading uses the service's own port, the only one that the pages' security policy allows.
const vite = await createVite({
  server: { middlewareMode: true, ws: { server } },
  appType: 'custom',
});
const { ssr } = vite.environments;
if (!ssr || !isRunnableDevEnvironment(ssr))
  throw new Error('Vite has no environment for the server');
const { runner } = ssr;
// A plugin ends the process at the first signal, before the database is stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);

const processes = await runner.import<typeof import('../src/platform/processes/process.server.ts')>(
  '/src/platform/processes/process.server.ts',
);
await processes.runProcess(async (config) => {
  const { openPlatform } = await runner.import<typeof import('../src/platform/platform.server.ts')>(
    '/src/platform/platform.server.ts',
  );
  const platform = await openPlatform(config, { listens: true });
  const load = () =>
    runner.import<typeof import('../src/app/service.server.ts')>('/src/app/service.server.ts');

  /** The service of the present modules; made again when one of them changes. */
  const make = async () => {
    const module = await load();
    const build = await runner.import<ServerBuild>('virtual:react-router/server-build');
    const service = await module.makeService(platform, { build, mode: 'development' });
    return { module, build, service };
  };
  let current = await make();
  const jobs = current.service.startJobs();

  server.on('request', (request, response) => {
    vite.middlewares(request, response, () => {
      void (async () => {
        const build = await runner.import<ServerBuild>('virtual:react-router/server-build');
        if ((await load()) !== current.module || build !== current.build) current = await make();
        current.service.listener(request, response);
      })().catch((error: unknown) => {
        platform.log.error({ err: error }, 'request failed');
        response.writeHead(500).end('See the terminal.');
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(config.port, config.host, resolve));
  console.log(`Development at ${config.publicUrl}`);
  return {
    async stop() {
      platform.announceStop();
      server.close();
      server.closeAllConnections();
      await jobs.stop();
      await platform.close();
      await vite.close();
    },
  };
});
