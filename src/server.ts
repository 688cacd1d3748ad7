import { createServer } from 'node:http';
import { join } from 'node:path';
import * as build from 'virtual:react-router/server-build';
import {
  ensureFirstAdministrator,
  type FirstAdministrator,
} from './features/staff/first-administrator.server.ts';
import { requireRealOperator } from './features/settings/real-operator.server.ts';
import { openPlatform } from './platform/platform.server.ts';
import { listenMistake } from './platform/port.server.ts';
import { runProcess } from './platform/process.server.ts';
import { projectRoot } from './platform/root.server.ts';
import { makeService } from './service.server.ts';

/** Requests in flight get this long to finish when the service is asked to stop. */
const DRAIN_MS = 10_000;

/** Web and jobs in one process. */
await runProcess(async (config) => {
  console.log('Lale starts: opening the database.');
  const platform = await openPlatform(config, { listens: true });
  await requireRealOperator(platform);
  const service = await makeService(platform, {
    build,
    assets: join(projectRoot, 'build', 'client'),
  });
  const administrator = await ensureFirstAdministrator(platform);
  const jobs = service.startJobs();
  const server = createServer(service.listener);
  server.on('connection', service.onConnection);
  server.listen(config.port, config.host);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) => reject(listenMistake(error, config) ?? error));
  });

  const { publicUrl, mode } = config;
  console.log(`Lale is ready at ${publicUrl} (${mode} mode).`);
  console.log(`Staff sign in at ${publicUrl}/admin${withWhat(administrator)}.`);
  return {
    async stop() {
      platform.announceStop();
      const drained = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const patience = new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref());
      await Promise.race([drained, patience]);
      await jobs.stop();
      await platform.close();
    },
  };
});

function withWhat({ created, email, password }: FirstAdministrator): string {
  if (password) return ` as ${email} with the password ${password} (shown once, write it down)`;
  return created ? ` as ${email} with ADMIN_PASSWORD` : '';
}
