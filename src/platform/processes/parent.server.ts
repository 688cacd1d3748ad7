import type { Config } from '../config/config.server.ts';
import { openDatabase } from '../postgres/database.server.ts';
import { makeLog, type Log } from '../log/log.server.ts';
import { openEmbedded } from '../postgres/embedded/open-embedded.server.ts';
import { checkPort } from '../config/port.server.ts';
import { type RunningProcess, EndWith, type ProcessEnding } from './process.server.ts';
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectMetrics, type FromParent } from './collect-metrics.server.ts';

type Child = {
  worker: Worker;
  /** Whether it listens; false once it ended before that. */
  listens: Promise<boolean>;
  ended: Promise<{ code: number | null; signal: string | null }>;
  startedAt: number;
  isListening: boolean;
  /** It was told to end. */
  isLeaving: boolean;
};

/** A process that ends sooner counts as one that cannot run. */
const STEADY_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/** After so many ends in a row while none listens the parent gives up: about 15 seconds. */
const MAX_FAILURES = 8;
/** How long a process may take until it listens, when it is to replace another one. */
const START_DEADLINE_MS = 60_000;

export type ChildrenOptions = {
  count: number;
  /** What they are told beside the parent's own environment. */
  variables: Record<string, string>;
  /** How long one may take to end before it is killed, in milliseconds. */
  stopDeadlineMs: number;
  log: Log;
  /** Before the first of several that die is started again, in milliseconds; each pause after it is twice as long. */
  firstPauseMs?: number;
};

export type Children = {
  /** Replaces them one after the other; each takes requests until its replacement does. */
  restart(): Promise<void>;
  stop(ending: ProcessEnding): Promise<void>;
  /** Resolves when no process can be started any more. */
  failed: Promise<string>;
};

/**
 * Keeps `count` processes of this very program running, which share one listening port. One that dies is started again,
 * after pauses that grow as long as that goes on.
 * @throws EndWith when the first one does not start; it has said why.
 */
export async function startChildren(options: ChildrenOptions): Promise<Children> {
  const { count, log, variables, stopDeadlineMs, firstPauseMs = FIRST_PAUSE_MS } = options;
  const stopping = new AbortController();
  const failed = Promise.withResolvers<string>();
  const slots: (Child | null)[] = [];
  let failures = 0;

  const living = () => slots.filter((child) => child !== null);
  const listening = () => living().filter((child) => child.isListening && !child.isLeaving);
  const metrics = collectMetrics(() => listening().map(({ worker }) => worker));

  function begin(): Child {
    const worker = cluster.fork(variables);
    const ended = once(worker, 'exit').then(([code, signal]) => ({ code, signal }));
    const child: Child = {
      worker,
      ended,
      startedAt: performance.now(),
      isListening: false,
      isLeaving: false,
      listens: Promise.race([
        once(worker, 'listening').then(() => (child.isListening = true)),
        ended.then(() => false),
      ]),
    };
    worker.on('message', (message: unknown) => metrics.heard(worker, message));
    // A message to a process that is just ending fails; it needs none any more.
    worker.on('error', (err) => log.debug({ err }, 'a process does not hear'));
    return child;
  }

  /** Puts a started process into its slot, and another one when it ends. */
  function place(slot: number, child: Child): void {
    slots[slot] = child;
    void startAgain(slot, child);
  }

  async function startAgain(slot: number, child: Child): Promise<void> {
    const { code, signal } = await child.ended;
    if (child.isLeaving || stopping.signal.aborted) return;
    slots[slot] = null;
    failures = performance.now() - child.startedAt < STEADY_MS ? failures + 1 : 1;
    if (failures >= MAX_FAILURES && listening().length === 0) {
      return failed.resolve('processes end as soon as they start');
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), MAX_PAUSE_MS);
    log.error(
      { pid: child.worker.process.pid, code, signal, pauseMs },
      'a process ended, starting another one',
    );
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (!stopping.signal.aborted) place(slot, begin());
  }

  async function end(child: Child, ending: ProcessEnding): Promise<void> {
    child.isLeaving = true;
    if (ending === 'retire') {
      const retire: FromParent = { type: 'retire' };
      if (child.worker.isConnected()) child.worker.send(retire);
    } else child.worker.process.kill(ending === 'leave' ? 'SIGTERM' : 'SIGINT');
    const patience = new AbortController();
    const late = sleep(stopDeadlineMs, 'late', { signal: patience.signal }).catch(() => 'over');
    if ((await Promise.race([child.ended, late])) === 'late') {
      log.error({ pid: child.worker.process.pid }, 'a process does not end, killing it');
      child.worker.process.kill('SIGKILL');
      await child.ended;
    }
    patience.abort();
  }

  async function replace(slot: number): Promise<boolean> {
    const next = begin();
    const late = sleep(START_DEADLINE_MS, false, { ref: false });
    const isReady = await Promise.race([next.listens, late]);
    if (!isReady || stopping.signal.aborted) {
      await end(next, 'at once');
      return false;
    }
    const before = slots[slot];
    place(slot, next);
    if (before) await end(before, 'retire');
    return true;
  }

  let restarting: Promise<void> | null = null;
  async function restartAll(): Promise<void> {
    for (let slot = 0; slot < count && !stopping.signal.aborted; slot++) {
      if (await replace(slot)) continue;
      if (!stopping.signal.aborted) {
        log.error('a new process does not start: those that run go on, nothing more is restarted');
      }
      return;
    }
    log.info({ processes: count }, 'all processes were restarted');
  }

  // The first one migrates and fills the database, and says what the operator has to put right.
  const first = begin();
  if (!(await first.listens)) throw new EndWith((await first.ended).code || 1);
  place(0, first);
  const others = Array.from({ length: count - 1 }, begin);
  for (const [index, child] of others.entries()) place(index + 1, child);
  await Promise.all(others.map(({ listens }) => listens));

  return {
    failed: failed.promise,
    restart: () => (restarting ??= restartAll().finally(() => void (restarting = null))),
    async stop(ending) {
      stopping.abort();
      await Promise.all(living().map((child) => end(child, ending)));
      await restarting;
    },
  };
}

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
export async function startParent(config: Config): Promise<RunningProcess> {
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
