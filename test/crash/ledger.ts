import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';

/** Milliseconds in which a killed database must come back, on a busy machine. */
const PATIENCE_MS = 5 * 60_000;
/** Milliseconds to wait for an event about a payment; one that came too late is not stored. */
const COMMIT_MS = 10_000;

const access = z.looseObject({ port: z.number(), servicePassword: z.string() });

/** Reads the service's own database, retrying while it is down. */
export type Rows = Pick<Ledger, 'rows'>;

/** The service's own database, read beside it. It is killed now and then, so failures are retried. */
export class Ledger {
  readonly #dataDir: string;
  #pool: pg.Pool | undefined;
  #port = 0;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async rows<T extends pg.QueryResultRow>(query: string, values: unknown[] = []): Promise<T[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return (await this.#open().query<T>(query, values)).rows;
      } catch (error) {
        const isConnection =
          !(error instanceof pg.DatabaseError) || /^(57|08|53)/.test(error.code ?? '');
        if (!isConnection || Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  }

  /** Resolves once an event about this attempt has changed it; rejects when that takes too long. */
  async committed(attemptId: string): Promise<void> {
    const deadline = Date.now() + COMMIT_MS;
    while (Date.now() < deadline) {
      const found = await this.rows(
        `select 1 from payment_event where attempt_id = $1 and result = 'moved' and event <> 'refund'`,
        [attemptId],
      );
      if (found.length > 0) return;
      await sleep(2);
    }
    throw new Error(`Nothing was committed about ${attemptId}`);
  }

  async close(): Promise<void> {
    await this.#pool?.end();
  }

  #open(): pg.Pool {
    const file: unknown = JSON.parse(
      readFileSync(join(this.#dataDir, 'postgres', 'access.json'), 'utf8'),
    );
    const { port, servicePassword } = access.parse(file);
    if (this.#pool && port === this.#port) return this.#pool;
    void this.#pool?.end().catch(() => undefined);
    this.#port = port;
    const pool = new pg.Pool({
      host: '127.0.0.1',
      port,
      user: 'service',
      password: servicePassword,
      database: 'service',
      max: 4,
    });
    pool.on('error', () => undefined);
    this.#pool = pool;
    return pool;
  }
}
