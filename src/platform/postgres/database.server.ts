import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import {
  connectToWritable,
  dropMovedConnections,
  makeClientClass,
  makeWritableServer,
  type WritableServer,
} from './writable-server.server.ts';
import type { Log } from '../log/log.server.ts';
import { isOutdatedPlan, nameStatements, StatementNames } from './statements.server.ts';
import {
  assertOutsideTransaction,
  insideTransaction,
  setTransactionConnection,
} from './transaction-scope.server.ts';

export type Database = NodePgDatabase;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** Where a statement may run: inside a transaction or on its own. */
export type Queryable = Database | Transaction;

export type OpenDatabase = { db: Database; pool: pg.Pool; close(): Promise<void> };

type DatabaseOptions = {
  /** Connections at most. */
  poolSize?: number;
  /** How long a caller waits for a connection, in milliseconds. */
  waitMs?: number;
  /** By which PostgreSQL and its log call the connections (`application_name`), unless the address says another. */
  name?: string;
  log?: Log;
};

/**
 * Opens a pool on a PostgreSQL address. TLS is asked for in the address itself (`sslmode=verify-full`). Of an address with
 * several hosts, or one that asks for `target_session_attrs=read-write`, the server that can be written to is followed.
 * A lost idle connection is noted and replaced, never fatal. Inside a transaction the pool refuses to be asked
 * (`AskedInsideTransaction`); who gets no connection is told by an error that `isConnectionUnavailable` knows.
 */
export function openDatabase(
  url: string,
  { poolSize = 20, waitMs = 10_000, name = 'lale', log }: DatabaseOptions = {},
): OpenDatabase {
  const servers = makeWritableServer(url);
  const pool = new Pool(
    {
      connectionString: url,
      application_name: name,
      max: poolSize,
      connectionTimeoutMillis: waitMs,
      keepAlive: true,
      ...(servers && { Client: makeClientClass(servers) }),
    },
    servers,
  );
  const stopFollowing = servers && dropMovedConnections(pool, servers);
  let closing: Promise<void> | undefined;
  pool.on('error', (err) => closing ?? log?.warn({ err }, 'database connection lost'));
  pool.on('connect', (client) => {
    // Without a listener, a connection that breaks between two statements of a transaction ends the process.
    client.on('error', () => undefined);
    nameStatements(client, pool.names);
  });
  const close = () => {
    stopFollowing?.();
    return (closing ??= pool.end());
  };
  return { db: databaseOver(pool), pool, close };
}

function databaseOver(pool: Pool): Database {
  const db = drizzle({ client: pool });
  const connected = new WeakMap<pg.PoolClient, Database>();
  const connectionOf = (client: pg.PoolClient): Database => {
    const known = connected.get(client);
    if (known) return known;
    const made = drizzle({ client });
    connected.set(client, made);
    return made;
  };
  db.transaction = (work, config) =>
    pool.againIfOutdated(async () => {
      // Drizzle's own does not give the connection back when BEGIN fails on it.
      const client = await pool.connect();
      try {
        const connection = connectionOf(client);
        return await connection.transaction((tx) => {
          setTransactionConnection(tx, connection);
          return insideTransaction(() => work(tx));
        }, config);
      } finally {
        client.release();
      }
    });
  return db;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

/** Errors of callers that got no connection. */
const withoutConnection = new WeakSet<Error>();

/** Every statement outside a transaction, and every transaction, begins with `connect`. */
class Pool extends pg.Pool {
  readonly names = new StatementNames();

  readonly #servers: WritableServer | null;

  constructor(config: pg.PoolConfig, servers: WritableServer | null) {
    super(config);
    this.#servers = servers;
    const send: unknown = Reflect.get(this, 'query');
    if (typeof send !== 'function') throw new Error('A pool without queries');
    const query = (...asked: unknown[]): unknown => {
      const ask = (): unknown => Reflect.apply(send, this, asked);
      return typeof asked.at(-1) === 'function' ? ask() : this.againIfOutdated(async () => ask());
    };
    Object.defineProperty(this, 'query', { value: query, configurable: true, writable: true });
  }

  /**
   * Does work that a migration stopped by changing what a prepared statement answers once more, with new names: nothing
   * of it was done, and a transaction was rolled back whole.
   */
  async againIfOutdated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      this.names.renew();
      return work();
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | void {
    if (!connected) return this.#connect();
    this.#connect().then(
      (client) => connected(undefined, client, client.release.bind(client)),
      (error: Error) => connected(error, undefined, () => undefined),
    );
  }

  async #connect(): Promise<pg.PoolClient> {
    assertOutsideTransaction();
    try {
      const servers = this.#servers;
      if (!servers) return await super.connect();
      const waitMs = this.options.connectionTimeoutMillis ?? 0;
      return await connectToWritable(() => super.connect(), servers, waitMs);
    } catch (error) {
      if (error instanceof Error) withoutConnection.add(error);
      throw error;
    }
  }
}

/** Whether work failed because all connections were taken for too long, or the database was not there. */
export function isConnectionUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (withoutConnection.has(cause)) return true;
  }
  return false;
}

/** Whether the database answers. */
export async function isReachable(db: Queryable): Promise<boolean> {
  try {
    await db.execute(sql`select 1`);
    return true;
  } catch {
    return false;
  }
}
