import { sql } from 'drizzle-orm';
import type { Database, Transaction } from './database.server.ts';

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
export async function withinTime<T>(
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
