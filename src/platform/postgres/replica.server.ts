import { sql } from 'drizzle-orm';
import { findDatabaseError, isDatabaseLost } from '../log/database-error.server.ts';
import { isConnectionUnavailable, openDatabase, type Database } from './database.server.ts';
import type { Log } from '../log/log.server.ts';

/**
 * Reads what may be some seconds old: from the replica where there is one, else from the primary. Only for what nobody
 * acts on at once: never what somebody has just written and is shown, what caches keep until they are told of a change,
 * or what a decision about money or an application rests on.
 */
export type ReadLagging = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

const CONNECTIONS = 4;
const WAIT_MS = 1000;
/**
 * In milliseconds: so long the replica is not asked after a failure, and so long it counts as following once it said
 * so.
 */
const TRUSTED_MS = 5000;

/** PostgreSQL cancels a query on a standby that conflicts with what it has to replay. */
const CONFLICT = '40001';

const isAway = (error: unknown): boolean =>
  isConnectionUnavailable(error) ||
  isDatabaseLost(error) ||
  findDatabaseError(error)?.code === CONFLICT;

/** A standby that has lost its primary would keep answering with old data. */
const FOLLOWS = sql`select not pg_is_in_recovery() or exists (select from pg_stat_wal_receiver) as follows`;

/**
 * Reads from the replica while it follows its primary, and from the primary otherwise: a reader sees no difference; the
 * log says once for each loss that the replica is not used.
 */
export function readFromReplica(
  url: string,
  primary: Database,
  log: Log,
): { read: ReadLagging; close(): Promise<void> } {
  const { db, close } = openDatabase(url, {
    poolSize: CONNECTIONS,
    waitMs: WAIT_MS,
    name: 'lale reading',
    log,
  });
  let isFollowing: boolean | null = null;
  let knownUntil = 0;

  const know = (follows: boolean, err?: unknown) => {
    if (isFollowing !== follows) {
      if (follows) log.info('the replica is read from');
      else log.warn({ err }, 'the replica does not follow its primary; the primary is read from');
    }
    isFollowing = follows;
    knownUntil = performance.now() + TRUSTED_MS;
  };

  async function follows(): Promise<boolean> {
    if (isFollowing !== null && performance.now() < knownUntil) return isFollowing;
    try {
      const { rows } = await db.execute<{ follows: boolean }>(FOLLOWS);
      know(rows[0]?.follows === true);
    } catch (error) {
      know(false, error);
    }
    return isFollowing === true;
  }

  return {
    async read(work) {
      if (!(await follows())) return work(primary);
      try {
        return await work(db);
      } catch (error) {
        if (!isAway(error)) throw error;
        know(false, error);
        return work(primary);
      }
    },
    close,
  };
}
