import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Config } from './config.server.ts';
import { makeSealer, makeSigner, type Sealer, type Signer } from './crypto.server.ts';
import { openDatabase, type Database } from './database.server.ts';
import { startPostgres, type RunningPostgres } from './embedded-postgres.server.ts';
import { filesInFolder, type Files } from './files.server.ts';
import { makeLog, type Log } from './log.server.ts';
import { makeMail, type Mail } from './mail.server.ts';
import { migrate } from './migrate.server.ts';

/** The sockets to the world, opened once per process and handed to whoever needs them. */
export type Platform = {
  config: Config;
  db: Database;
  pool: Pool;
  log: Log;
  files: Files;
  mail: Mail;
  sealer: Sealer;
  signer: Signer;
  now: () => Date;
};

export type OpenPlatform = Platform & {
  /** Closes everything; an embedded database is stopped last. */
  close(): Promise<void>;
};

export type PlatformOverrides = Partial<Pick<Platform, 'log' | 'mail' | 'files' | 'now'>>;

/**
 * Starts the embedded database unless one is configured, brings the schema up to date and opens the rest.
 * @throws ConfigError when the surroundings do not allow it.
 */
export async function openPlatform(
  config: Config,
  overrides: PlatformOverrides = {},
): Promise<OpenPlatform> {
  const log = overrides.log ?? makeLog({ level: config.logLevel });
  const postgres: RunningPostgres | undefined = config.databaseUrl
    ? undefined
    : await startPostgres({ dataDir: join(config.dataDir, 'postgres'), log });
  const url = config.databaseUrl ?? postgres?.url ?? '';
  const { db, pool, close } = openDatabase(url, { poolSize: config.databasePoolSize, log });
  try {
    await migrate(pool);
  } catch (error) {
    await close();
    await postgres?.stop();
    throw error;
  }
  const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKey });
  const mail = overrides.mail ?? makeMail(config);
  return {
    config,
    db,
    pool,
    log,
    sealer,
    mail,
    files: overrides.files ?? filesInFolder(join(config.dataDir, 'files'), sealer),
    signer: makeSigner(config.signingSecrets),
    now: overrides.now ?? (() => new Date()),
    async close() {
      mail.close();
      await close();
      await postgres?.stop();
    },
  };
}
