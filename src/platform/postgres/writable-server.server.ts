import pg from 'pg';
import type { Pool, PoolClient } from 'pg';
import { requiresWritable, parseServers, type Server } from '../config/database-address.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { findDatabaseError } from '../log/database-error.server.ts';

/** How long one server may take to accept a connection and say that it can be written to, in milliseconds. */
const CONNECT_MS = 2000;

/** PostgreSQL's own code for a change that a standby, or a server set to read only, refuses. */
const READ_ONLY = '25006';

/** The server answered, and is a standby or set to read only. */
class NotWritable extends Error {
  override name = 'NotWritable';
  constructor({ name }: Server) {
    super(`${name} is not the primary`);
  }
}

/** Which of several servers is written to, as all connections of this process to that address know it. */
export class WritableServer {
  readonly #servers: readonly [Server, ...Server[]];
  readonly #watchers = new Set<() => void>();
  #next: Server;
  #confirmed: Server | null = null;

  constructor(servers: readonly [Server, ...Server[]]) {
    this.#servers = servers;
    this.#next = servers[0];
  }

  /** The one to try. */
  get next(): Server {
    return this.#next;
  }

  get count(): number {
    return this.#servers.length;
  }

  /** Whether a connection to it may still be used. */
  isCurrent(server: Server | undefined): boolean {
    return server === this.#confirmed;
  }

  /** Called when another server than before is written to. */
  onMove(moved: () => void): () => void {
    this.#watchers.add(moved);
    return () => void this.#watchers.delete(moved);
  }

  /** It can be written to. */
  confirm(server: Server): void {
    const before = this.#confirmed;
    this.#confirmed = this.#next = server;
    if (before !== server) for (const moved of this.#watchers) moved();
  }

  /** It cannot be connected to, or not be written to: the next one is tried. Others may have found that out already. */
  fail(server: Server): void {
    if (this.#next !== server) return;
    const at = this.#servers.indexOf(server);
    this.#next = this.#servers[(at + 1) % this.#servers.length] ?? this.#servers[0];
  }

  /** It was the primary and refuses to be written to: no connection to it is used any more. */
  demote(server: Server): void {
    if (this.#confirmed === server) this.#confirmed = null;
    this.fail(server);
  }
}

const byAddress = new Map<string, WritableServer>();

/** The same for every pool of this process with this address; null for one server that is taken as it is. */
export function makeWritableServer(address: string): WritableServer | null {
  const [first, ...others] = parseServers(address) ?? [];
  if (!first || (others.length === 0 && !requiresWritable(first))) return null;
  const found = byAddress.get(address) ?? new WritableServer([first, ...others]);
  byAddress.set(address, found);
  return found;
}

const serverOfClient = new WeakMap<object, Server>();

/** Which server a connection leads to. */
const serverOf = (client: object): Server | undefined => serverOfClient.get(client);

type Connected = ((error: Error) => void) & ((error: null, client: pg.Client) => void);

/**
 * Connections to whichever server is to be tried next. They count as connected once that server has said that it can be
 * written to.
 */
export function makeClientClass(
  servers: WritableServer,
): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    readonly #server: Server;

    constructor(config: pg.ClientConfig = {}) {
      const server = servers.next;
      super({ ...config, connectionString: server.url, connectionTimeoutMillis: CONNECT_MS });
      this.#server = server;
      // Until the pool listens, an error without a listener would end the process.
      this.on('error', () => undefined);
      serverOfClient.set(this, server);
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === READ_ONLY) servers.demote(server);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(connected: Connected): void;
    override connect(connected?: Connected): Promise<pg.Client> | void {
      const connecting = this.#connect();
      if (!connected) return connecting;
      connecting.then(
        (client) => connected(null, client),
        (error: Error) => connected(error),
      );
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        await this.#expectWritable();
      } catch (error) {
        servers.fail(this.#server);
        throw error;
      }
      servers.confirm(this.#server);
      return this;
    }

    async #expectWritable(): Promise<void> {
      const late = setTimeout(() => this.connection.stream.destroy(), CONNECT_MS);
      try {
        const { rows } = await this.query<{ isWritable: boolean }>(
          `select current_setting('transaction_read_only') = 'off' as "isWritable"`,
        );
        if (rows[0]?.isWritable) return;
      } finally {
        clearTimeout(late);
      }
      this.end().catch(() => undefined);
      throw new NotWritable(this.#server);
    }
  };
}

/** Between two rounds over all servers. */
const PAUSE_MS = 100;

/** Wrong account, wrong password, no such database: another server would refuse it too. */
const OUR_MISTAKE = /^(28|3D)/;

/**
 * Ends connections to the server used before: where its machine is gone, they would be waited for until TCP gives up.
 */
export function dropMovedConnections(pool: Pool, servers: WritableServer): () => void {
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return servers.onMove(() => {
    for (const client of clients) {
      if (servers.isCurrent(serverOf(client))) continue;
      // A statement in progress fails at once; the pool replaces an idle connection at its next use.
      client.end().catch(() => undefined);
    }
  });
}

/**
 * A connection to the server that is written to now, within `waitMs`.
 * @throws what the last server said.
 */
export async function connectToWritable(
  connect: () => Promise<PoolClient>,
  servers: WritableServer,
  waitMs: number,
): Promise<PoolClient> {
  const until = performance.now() + waitMs;
  for (let failures = 0; ;) {
    try {
      const client = await connect();
      if (servers.isCurrent(serverOf(client))) return client;
      client.release(true);
    } catch (error) {
      const code = findDatabaseError(error)?.code;
      if (performance.now() >= until || OUR_MISTAKE.test(code ?? '')) throw error;
      failures += 1;
      if (failures % servers.count === 0) await sleep(PAUSE_MS);
    }
  }
}
