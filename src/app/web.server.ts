import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as build from 'virtual:react-router/server-build';
import {
  ensureFirstAdministrator,
  type FirstAdministrator,
} from '~/features/staff/accounts/first-administrator.server.ts';
import { endStreams } from '~/features/desk/frame/live-events.server.ts';
import { requireRealOperator } from '~/features/settings/operator.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { openPlatform } from '~/platform/platform.server.ts';
import { listenMistake } from '~/platform/config/port.server.ts';
import { answerUntilDrained, type RunningProcess } from '~/platform/processes/process.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { makeService } from './service.server.ts';

/**
 * How long an idle connection is kept open, in milliseconds: longer than proxies keep theirs (usually 60 seconds). If
 * this side closed first, a proxy could send a request on a connection that is just being closed.
 */
const PROXY_KEEP_ALIVE_MS = 75_000;

/**
 * In milliseconds. The head of a request has come by `headersTimeout`; its body has limits of its own (`patience`), by
 * which the largest upload takes an hour at most.
 */
const TIMEOUTS = {
  headersTimeout: 30_000,
  requestTimeout: 3_660_000,
  connectionsCheckingInterval: 10_000,
};

/**
 * Answers requests and works on jobs, alone or as one of several under a parent.
 * @throws ConfigError
 */
export async function startWeb(config: Config): Promise<RunningProcess> {
  const isAlone = cluster.isPrimary;
  if (isAlone) console.log('Lale starts: opening the database.');
  // The parent holds the port already.
  const platform = await openPlatform(config, { listens: isAlone });
  await requireRealOperator(platform);
  const service = await makeService(platform, {
    build,
    assets: join(projectRoot, 'build', 'client'),
  });
  const administrator = await ensureFirstAdministrator(platform);
  const jobs = service.startJobs();
  const server = createServer(TIMEOUTS);
  if (config.trustProxy) server.keepAliveTimeout = PROXY_KEEP_ALIVE_MS;
  server.on('connection', service.onConnection);
  const drain = answerUntilDrained(server, service.listener, {
    graceMs: config.drainGraceMs,
    log: platform.log,
    endStreams: () => endStreams(platform),
  });
  server.listen(config.port, config.host);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) => reject(listenMistake(error, config) ?? error));
  });

  const { publicUrl, mode } = config;
  if (isAlone) console.log(`Lale is ready at ${publicUrl} (${mode} mode).`);
  if (isAlone || administrator.created) {
    console.log(`Staff sign in at ${publicUrl}/admin${withWhat(administrator)}.`);
  }
  if (administrator.ignored) {
    platform.log.warn({}, ADMIN_EMAIL_IGNORED);
    if (isAlone) console.log(ADMIN_EMAIL_IGNORED);
  }
  return {
    async stop(ending) {
      platform.announceStop();
      await drain(ending);
      await jobs.stop();
      await platform.close();
    },
  };
}

const ADMIN_EMAIL_IGNORED =
  'ADMIN_EMAIL is not used: it makes the first account only, and there are accounts, none with this address. An administrator invites further staff at /admin/accounts.';

function withWhat({ created, email, password }: FirstAdministrator): string {
  if (password) return ` as ${email} with the password ${password} (shown once, write it down)`;
  return created ? ` as ${email} with ADMIN_PASSWORD` : '';
}
