import type { Outcome } from '~/base/outcome.ts';
import type { Queryable, Transaction, Database } from './database.server.ts';
import { findDatabaseError } from '../log/database-error.server.ts';
import { sql } from 'drizzle-orm';

class Refused<E> extends Error {
  override name = 'Refused';
  readonly outcome: { readonly ok: false; readonly error: E };
  constructor(outcome: { readonly ok: false; readonly error: E }) {
    super('refused');
    this.outcome = outcome;
  }
}

/** Does the work in a transaction that a refusal undoes, as an exception does. */
export async function rollBackIfRefused<T, E>(
  db: Queryable,
  work: (tx: Transaction) => Promise<Outcome<T, E>>,
): Promise<Outcome<T, E>> {
  let refusal: Refused<E> | undefined;
  try {
    return await db.transaction(async (tx) => {
      const outcome = await work(tx);
      if (outcome.ok) return outcome;
      refusal = new Refused(outcome);
      throw refusal;
    });
  } catch (error) {
    if (refusal && error === refusal) return refusal.outcome;
    throw error;
  }
}

class Rehearsed extends Error {
  override name = 'Rehearsed';
}

/**
 * Does the work in a transaction of repeatable reads that is undone whatever comes of it, and returns its result: a
 * preview of a change is the change itself.
 */
export async function rehearse<T>(
  db: Queryable,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let done: { result: T } | undefined;
  await db
    .transaction(
      async (tx) => {
        done = { result: await work(tx) };
        throw new Rehearsed();
      },
      { isolationLevel: 'repeatable read' },
    )
    .catch((error: unknown) => {
      if (!(error instanceof Rehearsed)) throw error;
    });
  if (!done) throw new Error('A rehearsal ended without its work');
  return done.result;
}

/** SQLSTATE: a transaction of repeatable reads met a change of another. */
const SERIALIZATION_FAILURE = '40001';
const TRIES = 3;

/**
 * Runs a transaction of repeatable reads again where it met a change of another; it changed nothing then.
 * @throws The conflict after three tries, and every other error at once.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ;) {
    try {
      return await work();
    } catch (error) {
      left -= 1;
      if (left === 0 || findDatabaseError(error)?.code !== SERIALIZATION_FAILURE) throw error;
    }
  }
}

/** The database cancelled a statement that took longer than it may. */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** PostgreSQL's `query_canceled`. */
const CANCELED = '57014';

/**
 * Reads in one transaction, each statement for so many milliseconds at most. `settings` of PostgreSQL hold until it ends.
 * @throws TookTooLong
 */
export async function readWithinTime<T>(
  db: Database,
  milliseconds: number,
  read: (tx: Transaction) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const all = { ...settings, statement_timeout: String(Math.ceil(milliseconds)) };
  const set = Object.entries(all).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  try {
    return await db.transaction(
      async (tx) => {
        await tx.execute(sql`select ${sql.join(set, sql`, `)}`);
        return read(tx);
      },
      { accessMode: 'read only' },
    );
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (cause instanceof Error && 'code' in cause && cause.code === CANCELED) {
      throw new TookTooLong('A statement took too long', { cause: error });
    }
    throw error;
  }
}
