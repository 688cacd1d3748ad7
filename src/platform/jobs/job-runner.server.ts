import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import { parseCronItems, run, runOnce, type Runner, type TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { databaseErrorOf } from '../log/database-error.server.ts';
import { watchForDeadRunners } from './job-liveness.server.ts';
import { jobLogger } from '../log/job-log.server.ts';
import type { Log } from '../log/log.server.ts';
import { mergeAnnouncements } from './merge-announcements.server.ts';
import { releaseOnce } from './release-once.server.ts';

export type JobRun = {
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

export type JobOptions = {
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
        const code = databaseErrorOf(err)?.code ?? (err instanceof Error ? err.name : 'unknown');
        throw new Error(`${name} failed: ${code}`, { cause: err });
      } finally {
        running.delete(job.id);
      }
    },
  ]);
  // The queue refuses to run without any task.
  return { nothing: () => undefined, ...Object.fromEntries(entries) };
}
