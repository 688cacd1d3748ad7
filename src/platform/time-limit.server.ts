import { sql } from 'drizzle-orm';
import type { Database, Transaction } from './database.server.ts';

/** The database was told to give up: its statements took longer than they may. */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** PostgreSQL's `query_canceled`. */
const CANCELED = '57014';

/**
 * Reads in one transaction, each statement for so many milliseconds at most.
 * @throws TookTooLong
 */
export async function withinTime<T>(
  db: Database,
  milliseconds: number,
  read: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction(
      async (tx) => {
        await tx.execute(sql.raw(`set local statement_timeout = ${Math.ceil(milliseconds)}`));
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
