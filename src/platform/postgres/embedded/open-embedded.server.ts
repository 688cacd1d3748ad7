import { join } from 'node:path';
import type { Config } from '../../config/config.server.ts';
import { openDatabase } from '../database.server.ts';
import { startPostgres } from './embedded-postgres.server.ts';
import { grantService, migrate } from '../migrate.server.ts';
import { lockInstance } from './instance-lock.server.ts';
import type { Log } from '../../log/log.server.ts';
import { RUNTIME } from './postgres-cluster.server.ts';

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
