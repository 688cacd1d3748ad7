import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.server.ts';
import { openDatabase } from '../database.server.ts';
import { startPostgres, adoptedUrls } from './embedded-postgres.server.ts';
import { grantService, migrate } from '../migrate.server.ts';
import { lockInstance } from './instance-lock.server.ts';
import { type Log, makeLog } from '../../log/log.server.ts';
import { RUNTIME } from './postgres-cluster.server.ts';
import { existsSync } from 'node:fs';
import { ConfigError } from '../../config/config-error.server.ts';

/**
 * Takes the data folder for this process, starts the embedded database and brings its schema up to date. What has to be
 * undone goes onto `stack`.
 * @throws ConfigError when another process holds the folder, or the database does not run here.
 */
export async function openEmbedded(
  config: Config,
  {
    log,
    stack,
    settings,
    beforeStart = async () => undefined,
  }: {
    log: Log;
    stack: AsyncDisposableStack;
    settings?: Readonly<Record<string, string>>;
    /** Once the folder is taken. */
    beforeStart?: () => Promise<void>;
  },
): Promise<{ url: string; ownerUrl: string; announceStop: () => void }> {
  const lock = await lockInstance(config.dataDir);
  stack.defer(lock.release);
  await beforeStart();
  const dataDir = join(config.dataDir, 'postgres');
  const postgres = await startPostgres({ dataDir, log, settings });
  stack.defer(postgres.stop);
  await prepare(postgres.url, config.mode);
  const { url: ownerUrl, serviceUrl: url } = postgres;
  return { url, ownerUrl, announceStop: lock.announceStop };
}

/** The embedded database is migrated by its owner; the service then runs with an account that owns nothing. */
async function prepare(ownerUrl: string, mode: Config['mode']): Promise<void> {
  const { pool, close } = openDatabase(ownerUrl, { poolSize: 3 });
  try {
    await migrate(pool, mode);
    await grantService(pool, RUNTIME);
  } finally {
    await close();
  }
}

type VisitedDatabase = {
  /** With the account of the running service, which owns nothing in an embedded database. */
  url: string;
  leave(): Promise<void>;
};

/**
 * The service's database for a command beside it: the configured one, the embedded one that its service runs, or, where
 * no service runs, the embedded one for as long as the visit lasts. Nothing is made and nothing is migrated.
 * @throws ConfigError where there is no database yet.
 */
export async function visitDatabase(config: Config): Promise<VisitedDatabase> {
  const { databaseUrl: url } = config;
  if (url) return { url, leave: async () => undefined };
  const cluster = resolve(config.dataDir, 'postgres');
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    throw new ConfigError([`DATA_DIR: there is no database in ${cluster}`]);
  }
  const running = await adoptedUrls(cluster);
  if (running) return { url: running.serviceUrl, leave: async () => undefined };
  const lock = await lockInstance(config.dataDir);
  try {
    const log = makeLog({ level: 'error' });
    const postgres = await startPostgres({ dataDir: cluster, log });
    return {
      url: postgres.serviceUrl,
      leave: async () => {
        await postgres.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
