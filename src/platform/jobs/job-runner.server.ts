import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import { parseCronItems, run, runOnce, type Runner, type TaskList } from 'graphile-worker';
import type { Pool, PoolClient, Notification } from 'pg';
import { findDatabaseError } from '../log/database-error.server.ts';
import { jobLogger, type Log } from '../log/log.server.ts';
import { z } from 'zod';

/** First half of the advisory lock that a living runner holds; the second is a hash of its name. */
const LOCK_CLASS = 7_160_003;
const SWEEP_MS = 5000;
/** The second sweep frees jobs that were locked a moment before the start. */
const SECOND_SWEEP_MS = 1500;

/**
 * A runner that dies in the middle leaves its jobs locked, and the queue itself would wait four hours. So every runner
 * holds an advisory lock, which the database drops with its connection, and frees the jobs of those that hold none.
 * Later than at the start a runner has to be missing twice in a row: it may just be connecting again.
 */
function watchForDeadRunners(pool: Pool, events: EventEmitter, log: Log): { stop(): void } {
  let name: string | undefined;
  let client: PoolClient | undefined;
  let suspects: ReadonlySet<string> = new Set();
  let sweeps = 0;
  let stopped = false;
  let busy = false;

  async function sweep() {
    if (busy || stopped) return;
    busy = true;
    try {
      client ??= await hold(name);
      const missing = await missingRunners(client);
      const dead = missing.filter((runner) => sweeps < 2 || suspects.has(runner));
      sweeps++;
      suspects = new Set(missing);
      if (dead.length > 0) {
        await client.query('select graphile_worker.force_unlock_workers($1::text[])', [dead]);
        log.warn({ runners: dead.length }, 'freed the jobs of runners that died');
      }
    } catch (err) {
      if (!stopped) log.debug({ err }, 'looking for dead job runners failed');
      drop();
    } finally {
      busy = false;
      if (stopped) drop();
    }
  }

  async function hold(runner: string | undefined): Promise<PoolClient> {
    const taken = await pool.connect();
    try {
      if (runner)
        await taken.query('select pg_advisory_lock_shared($1, hashtext($2))', [LOCK_CLASS, runner]);
    } catch (error) {
      taken.release(true);
      throw error;
    }
    taken.once('error', drop);
    return taken;
  }

  function drop() {
    // Destroyed, not returned: closing the connection is what gives the lock back.
    client?.release(true);
    client = undefined;
  }

  events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
    name = workerPool.id;
    void sweep();
  });
  const second = setTimeout(() => void sweep(), SECOND_SWEEP_MS);
  const timer = setInterval(() => void sweep(), SWEEP_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(second);
      clearInterval(timer);
      if (!busy) drop();
    },
  };
}

/** Runners that hold jobs for more than a moment, but not their lock. */
async function missingRunners(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ runner: string }>(
    `select distinct locked_by as runner from graphile_worker.jobs
     where locked_by is not null and locked_at < now() - interval '1 second'
       and not exists (
         select from pg_locks
         where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
           and classid = $1::int4::oid and objid = (hashtext(locked_by)::bigint & 4294967295)::oid and objsubid = 2)`,
    [LOCK_CLASS],
  );
  return rows.map(({ runner }) => runner);
}

type Listener = (notification: Notification) => void;

/** What the queue calls new jobs by (graphile-worker 0.18), and how many there are. */
const CHANNEL = 'jobs:insert';
const announced = z.object({ count: z.int().default(1) });

/** How long further announcements wait for one another. */
export const MERGED_MS = 100;

/**
 * A listening client that hands on the first announcement of new jobs at once and those that follow it within
 * `MERGED_MS` as one, with the sum of their jobs. graphile-worker asks the database for a job at each; where hundreds a
 * second are announced, that costs a sixth of what storing them does.
 */
export function mergeAnnouncements(client: PoolClient): PoolClient {
  const merged = new Map<unknown, ReturnType<typeof merge>>();
  const on = (event: unknown, listener: unknown): unknown => {
    if (event !== 'notification' || !isListener(listener)) return send('on', event, listener);
    const mine = merge(listener);
    merged.set(listener, mine);
    return send('on', event, mine.listener);
  };
  const removeListener = (event: unknown, listener: unknown): unknown => {
    const mine = merged.get(listener);
    mine?.end();
    merged.delete(listener);
    return send('removeListener', event, mine?.listener ?? listener);
  };
  function send(method: 'on' | 'removeListener', ...given: unknown[]): unknown {
    return Reflect.apply(client[method], client, given);
  }
  return new Proxy(client, {
    get(target, name) {
      if (name === 'on') return on;
      if (name === 'removeListener') return removeListener;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const isListener = (value: unknown): value is Listener => typeof value === 'function';

function merge(hand: Listener) {
  let timer: NodeJS.Timeout | undefined;
  let held: { notification: Notification; count: number } | undefined;
  const handOn = () => {
    timer = undefined;
    if (!held) return;
    const { notification, count } = held;
    held = undefined;
    wait();
    hand({ ...notification, payload: JSON.stringify({ count }) });
  };
  const wait = () => void (timer = setTimeout(handOn, MERGED_MS).unref());
  return {
    listener(notification: Notification) {
      if (notification.channel !== CHANNEL) return hand(notification);
      if (timer === undefined) {
        wait();
        return hand(notification);
      }
      held = { notification, count: (held?.count ?? 0) + countOf(notification) };
    },
    end() {
      clearTimeout(timer);
      held = undefined;
    },
  };
}

/** One where it does not say, none where it says fewer, as the queue itself counts it. */
function countOf({ payload = '' }: Notification): number {
  try {
    return Math.max(0, announced.parse(JSON.parse(payload)).count);
  } catch {
    return 1;
  }
}

type JobRun = {
  id: string;
  /** 1 on the first try. */
  attempt: number;
  isLastAttempt: boolean;
  /** Fires when the process has been asked to stop and some seconds are over. */
  signal: AbortSignal;
};

/** Does one job. A throw means: try again later. The payload is checked by the handler's own schema. */
export type JobHandler = (payload: unknown, job: JobRun) => Promise<void> | void;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** A job that the clock enqueues, once over all processes. `cron` has five fields, in UTC. */
export type Recurring = { cron: string; name: string; payload?: Record<string, unknown> };

type JobOptions = {
  pool: Pool;
  handlers: JobHandlers;
  schedule?: readonly Recurring[];
  log: Log;
  /** Jobs at a time in this process. */
  concurrency?: number;
};

export type Jobs = {
  /** Resolves once jobs are being taken for the first time. */
  ready: Promise<void>;
  isRunning(): boolean;
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>;
};

const STOP_DEADLINE_MS = 20_000;
const RESTART_DELAY_MS = 500;
/** How long a runner that stops may take to write down the ends of its last jobs. */
const LAST_WRITES_MS = 3000;
const LOOK_MS = 100;

/** Takes jobs until stopped. While the database is away it keeps trying. */
export function startJobs(options: JobOptions): Jobs {
  const { log } = options;
  const first = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let runner: Runner | undefined;

  async function keepRunning() {
    while (!stopping.signal.aborted) {
      try {
        await runOnceUntilBroken();
      } catch (err) {
        if (!stopping.signal.aborted) log.warn({ err }, 'job queue stopped, starting it again');
      }
      await sleep(RESTART_DELAY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function runOnceUntilBroken() {
    const events = new EventEmitter();
    const liveness = watchForDeadRunners(options.pool, events, log);
    const running = new Set<string>();
    const stopBegun = new Promise<void>((resolve) => events.once('pool:gracefulShutdown', resolve));
    let isBroken = false;
    // When the answer to "give me a job" is lost, a job may stay locked by this runner, and the runner itself may go on
    // failing with that error. A new runner begins anew and frees the jobs of the old one.
    events.on('worker:getJob:error', () => {
      isBroken = true;
      void runner?.stop().catch(() => undefined);
    });
    try {
      runner = await run({ ...shared(options, running), events, ...pace(options) });
      first.resolve();
      if (isBroken || stopping.signal.aborted) void runner.stop().catch(() => undefined);
      // graphile-worker 0.18 never finishes stopping when the ends of two jobs could not be written down at once: it counts
      // the second failure twice (https://github.com/graphile/worker/issues/636 is about the same loop).
      await Promise.race([runner.promise, stopBegun.then(() => untilOver(running))]);
    } finally {
      // Also stops the clock of a runner whose workers stopped by themselves.
      void (running.size > 0 ? runner?.kill() : runner?.stop())?.catch(() => undefined);
      runner = undefined;
      liveness.stop();
    }
  }

  const loop = keepRunning();
  return {
    ready: first.promise,
    isRunning: () => runner !== undefined,
    async stop() {
      stopping.abort();
      void runner?.stop().catch(() => undefined);
      await loop;
    },
  };
}

/** Resolves when no job has run for a while, and in any case after STOP_DEADLINE_MS. */
async function untilOver(running: ReadonlySet<string>): Promise<void> {
  const deadline = performance.now() + STOP_DEADLINE_MS;
  let ranLast = performance.now();
  while (performance.now() < Math.min(deadline, ranLast + LAST_WRITES_MS)) {
    await sleep(LOOK_MS);
    if (running.size > 0) ranLast = performance.now();
  }
}

/** Runs what is due now and returns when nothing is left; for tests and for one-off tools. */
export async function runDueJobs(
  options: Pick<JobOptions, 'pool' | 'handlers' | 'log'>,
): Promise<void> {
  await runOnce(shared(options));
}

/** `running` holds the ids of the jobs that run. */
function shared(
  { pool, handlers, log }: Pick<JobOptions, 'pool' | 'handlers' | 'log'>,
  running = new Set<string>(),
) {
  return {
    pgPool: releaseOnce(pool, mergeAnnouncements),
    noHandleSignals: true,
    logger: jobLogger(log),
    taskList: tasks(handlers, log, running),
    // Without batches the end of a job is written down without anybody waiting for it or noticing its failure.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  };
}

function pace({ concurrency = 4, schedule = [] }: JobOptions) {
  const items = schedule.map(({ cron, name, payload }) => ({
    match: cron,
    task: name,
    payload,
    identifier: name,
  }));
  // New jobs announce themselves at once; polling is for those that become due later.
  return { concurrency, pollInterval: 1000, parsedCronItems: parseCronItems(items) };
}

/** The queue stores the message of a failed job: it gets one without values. */
function tasks(handlers: JobHandlers, log: Log, running: Set<string>): TaskList {
  const entries = Object.entries(handlers).map(([name, handle]) => [
    name,
    async (payload: unknown, { job, abortSignal }: Parameters<TaskList[string] & {}>[1]) => {
      const run: JobRun = {
        id: job.id,
        attempt: job.attempts,
        isLastAttempt: job.attempts >= job.max_attempts,
        signal: abortSignal ?? new AbortController().signal,
      };
      running.add(job.id);
      try {
        await handle(payload, run);
      } catch (err) {
        log[run.isLastAttempt ? 'error' : 'warn'](
          { err, job: name, jobId: run.id, attempt: run.attempt },
          'job failed',
        );
        const code = findDatabaseError(err)?.code ?? (err instanceof Error ? err.name : 'unknown');
        throw new Error(`${name} failed: ${code}`, { cause: err });
      } finally {
        running.delete(job.id);
      }
    },
  ]);
  // The queue refuses to run without any task.
  return { nothing: () => undefined, ...Object.fromEntries(entries) };
}

type Done = (release?: Error | boolean) => void;
type Connected = (error: Error | undefined, client: PoolClient | undefined, done: Done) => void;

/**
 * A pool whose clients may be given back twice. graphile-worker 0.18 does so with its listening client when the connection
 * breaks while it is being released; pg-pool throws on the second time where nobody can catch it, and an unhandled
 * rejection ends the process. `listening`: what becomes of that client, the only one it asks for by a callback.
 */
export function releaseOnce(
  pool: Pool,
  listening: (client: PoolClient) => PoolClient = (client) => client,
): Pool {
  const connect = (connected?: Connected) =>
    connected
      ? pool.connect((error, client, done) =>
          connected(error, client && listening(client), once(done)),
        )
      : pool.connect();
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function once(done: Done): Done {
  let isDone = false;
  return (release) => {
    if (isDone) return;
    isDone = true;
    done(release);
  };
}
