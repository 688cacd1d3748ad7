import type { Pool } from 'pg';
import type { Config } from './config/config.server.ts';
import { makeSealer, makeSigner, type Sealer, type Signer } from './crypto/crypto.server.ts';
import { checkDatabase, migrate } from './postgres/migrate.server.ts';
import { readFromReplica, type ReadLagging } from './postgres/replica.server.ts';
import { openDatabase, type Database, type OpenDatabase } from './postgres/database.server.ts';
import { sealedFiles, type Files } from './files/files.server.ts';
import { openFileStore } from './files/open-store.server.ts';
import { followInvalidations, listenForInvalidations } from './postgres/invalidations.server.ts';
import { makeLog, type Log } from './log/log.server.ts';
import { makeMail, type Mail } from './mail/mail.server.ts';
import { openEmbedded } from './postgres/embedded/open-embedded.server.ts';
import { checkPort } from './config/port.server.ts';

/** Database, files, mail, log and what else reaches outside the process: opened once per process and passed on. */
export type Platform = {
  config: Config;
  db: Database;
  pool: Pool;
  /** From the replica where there is one: for what may be some seconds old. */
  readLagging: ReadLagging;
  log: Log;
  files: Files;
  mail: Mail;
  sealer: Sealer;
  signer: Signer;
  now: () => Date;
};

/** What a transaction's code may use beside the transaction: everything but the pool. */
export type WithoutPool = Omit<Platform, 'db' | 'pool' | 'readLagging'>;

export type OpenPlatform = Platform & {
  /** The same with connections of its own: jobs neither wait for requests nor keep them waiting. */
  forJobs: Platform;
  /** To be called first when stopping: whoever waits for the data folder then waits a little longer. */
  announceStop(): void;
  /** Closes everything; an embedded database is stopped last. */
  close(): Promise<void>;
};

type PlatformOverrides = Partial<Pick<Platform, 'log' | 'mail' | 'files' | 'now' | 'readLagging'>>;

type OpenOptions = PlatformOverrides & {
  /** Whether the process will listen on the configured port, which then has to be free. */
  listens?: boolean;
};

/**
 * Starts the embedded database unless one is configured, brings the schema up to date and opens the rest.
 * @throws ConfigError when the surroundings do not allow it.
 */
export async function openPlatform(
  config: Config,
  options: OpenOptions = {},
): Promise<OpenPlatform> {
  const log = options.log ?? makeLog({ level: config.logLevel });
  const stack = new AsyncDisposableStack();
  let announceStop = () => {};
  try {
    const checkFree = async () => {
      if (options.listens) await checkPort(config);
    };
    let url = config.databaseUrl;
    if (url) await checkFree();
    else
      ({ url, announceStop } = await openEmbedded(config, { log, stack, beforeStart: checkFree }));
    const database = openDatabase(url, {
      poolSize: config.databasePoolSize,
      waitMs: config.databaseWaitMs,
      log,
    });
    stack.defer(database.close);
    const { db, pool, close } = openDatabase(url, {
      poolSize: config.databaseJobsPoolSize,
      name: 'lale jobs',
      log,
    });
    stack.defer(close);
    if (config.databaseUrl) {
      await checkDatabase(database.pool, config.databaseUrl);
      await migrate(database.pool, config.mode);
    }
    const listening = openDatabase(url, { poolSize: 1, name: 'lale listening', log });
    stack.defer(listening.close);
    const invalidations = listenForInvalidations(listening.pool, log);
    stack.defer(invalidations.close);
    followInvalidations(invalidations, [database.db, database.pool, db, pool]);
    const replica = config.databaseReadUrl
      ? readFromReplica(config.databaseReadUrl, database.db, log)
      : null;
    if (replica) stack.defer(replica.close);
    const platform = assemblePlatform(config, database, {
      ...options,
      log,
      ...(replica && { readLagging: replica.read }),
    });
    stack.defer(() => platform.mail.close());
    stack.defer(() => platform.files.close());
    await platform.files.check();
    const forJobs = { ...platform, db, pool };
    return { ...platform, forJobs, announceStop, close: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** The platform over a database that is open and migrated. */
export function assemblePlatform(
  config: Config,
  { db, pool }: Omit<OpenDatabase, 'close'>,
  overrides: PlatformOverrides = {},
): Platform {
  const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
  return {
    config,
    db,
    pool,
    readLagging: overrides.readLagging ?? ((read) => read(db)),
    sealer,
    signer: makeSigner(config.signingSecrets),
    log: overrides.log ?? makeLog({ level: config.logLevel }),
    mail: overrides.mail ?? makeMail(config),
    files: overrides.files ?? sealedFiles(openFileStore(config), sealer),
    now: overrides.now ?? (() => new Date()),
  };
}
