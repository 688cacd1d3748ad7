import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError } from '../../config/config-error.server.ts';
import type { Config } from '../../config/config.server.ts';
import { adoptedUrls, startPostgres } from './embedded-postgres.server.ts';
import { lockInstance } from './instance-lock.server.ts';
import { makeLog } from '../../log/log.server.ts';

export type VisitedDatabase = {
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
