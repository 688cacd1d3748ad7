import { join } from 'node:path';
import { serve } from '@hono/node-server';
import * as build from 'virtual:react-router/server-build';
import { ensureFirstAdministrator } from './features/staff/first-administrator.server.ts';
import { ConfigError, readConfig } from './platform/config.server.ts';
import { openPlatform } from './platform/platform.server.ts';
import { projectRoot } from './platform/root.server.ts';
import { makeService } from './service.server.ts';

/** Requests in flight get this long to finish when the service is asked to stop. */
const DRAIN_MS = 10_000;

async function start() {
  const config = readConfig(process.env);
  console.log('Lale starts: opening the database');
  const platform = await openPlatform(config, { listens: true });
  const service = await makeService(platform, {
    build,
    assets: join(projectRoot, 'build', 'client'),
  });
  const administrator = await ensureFirstAdministrator(platform);
  const jobs = service.startJobs();
  const server = serve({ fetch: service.app.fetch, port: config.port, hostname: config.host });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    console.log(`${signal}: finishing what is in flight`);
    platform.announceStop();
    const drained = new Promise<void>((resolve) => server.close(() => resolve()));
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]);
    await jobs.stop();
    await platform.close();
    console.log('Lale has stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));

  const { created, email, password } = administrator;
  const withWhat = password
    ? ` as ${email} with the password ${password} (shown once: write it down)`
    : created
      ? ` as ${email} with the password of ADMIN_PASSWORD`
      : '';
  console.log(
    `Lale is ready at ${config.publicUrl} (${config.mode} mode). Staff sign in at ${config.publicUrl}/admin${withWhat}`,
  );
}

try {
  await start();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(78);
}
