import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PATIENCE_MS = 60_000;

/** Retries until it is answered, because the server is killed now and then. */
export const persistentRows = (pool: pg.Pool) => ({
  async rows<T extends pg.QueryResultRow>(query: string, values: unknown[] = []): Promise<T[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return (await pool.query<T>(query, values)).rows;
      } catch (error) {
        const isConnection =
          !(error instanceof pg.DatabaseError) || /^(57|08|53|25006)/.test(error.code ?? '');
        if (!isConnection || Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  },
});
