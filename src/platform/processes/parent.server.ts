import type { Config } from '../config/config.server.ts';
import { openDatabase } from '../postgres/database.server.ts';
import { makeLog, type Log } from '../log/log.server.ts';
import { openEmbedded } from '../postgres/embedded/open-embedded.server.ts';
import { checkPort } from '../config/port.server.ts';
import { startChildren } from './children.server.ts';
import type { Running } from './process.server.ts';

/** Connections that are left to people and to what else asks the database. */
const SPARE_CONNECTIONS = 20;

/** Connections of one process: for requests, for jobs, and the one that listens. */
const connectionsOf = (config: Config): number =>
  config.databasePoolSize + config.databaseJobsPoolSize + 1;

/**
 * Several processes under this one, which answers nothing itself: it holds the port, the embedded database where none is
 * configured, and starts again what dies. At SIGUSR2 it restarts them one after the other, from the build that is there
 * by then.
 * @throws ConfigError, EndWith
 */
export async function startParent(config: Config): Promise<Running> {
  const log = makeLog({ level: config.logLevel });
  const count = config.processes;
  const stack = new AsyncDisposableStack();
  let announceStop = () => {};
  try {
    await checkPort(config);
    let url = config.databaseUrl;
    if (!url) {
      const needed = count * connectionsOf(config) + SPARE_CONNECTIONS;
      const settings = { max_connections: String(Math.max(100, needed)) };
      const embedded = await openEmbedded(config, { log, stack, settings });
      ({ url, announceStop } = embedded);
      if (config.mode === 'live') {
        log.warn('live mode on the embedded database: one machine, backups are yours');
      }
    }
    const children = await startChildren({
      count,
      variables: { DATABASE_URL: url },
      stopDeadlineMs: 65_000 + config.drainGraceMs,
      log,
    });
    await warnOfConnections(config, url, log);
    process.on('SIGUSR2', () => void children.restart());
    console.log(`Lale is ready at ${config.publicUrl} (${config.mode} mode, ${count} processes).`);
    return {
      failed: children.failed,
      async stop(ending) {
        announceStop();
        await children.stop(ending);
        await stack.disposeAsync();
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Too few connections show only under load, and then as refusals. */
async function warnOfConnections(config: Config, url: string, log: Log): Promise<void> {
  const { pool, close } = openDatabase(url, { poolSize: 1 });
  try {
    const { rows } = await pool.query<{ allowed: number }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed`,
    );
    const needed = config.processes * connectionsOf(config);
    const allowed = rows[0]?.allowed ?? needed;
    if (needed > allowed) {
      log.warn({ needed, allowed }, 'PROCESSES may need more connections than the database allows');
    }
  } catch (err) {
    log.debug({ err }, 'the database did not say how many connections it allows');
  } finally {
    await close();
  }
}
