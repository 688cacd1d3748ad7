import type { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import type { Log } from '../log/log.server.ts';

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
export function watchForDeadRunners(pool: Pool, events: EventEmitter, log: Log): { stop(): void } {
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
