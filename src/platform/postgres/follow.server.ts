import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { databaseErrorOf } from '../log/database-error.server.ts';
import { serverOf, type WritableServer } from './writable-server.server.ts';

/** Between two rounds over all servers. */
const PAUSE_MS = 100;

/** Wrong account, wrong password, no such database: another server would refuse it too. */
const OUR_MISTAKE = /^(28|3D)/;

/**
 * Ends connections to the server used before: where its machine is gone, they would be waited for until TCP gives up.
 */
export function dropOnMove(pool: Pool, servers: WritableServer): () => void {
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
      const code = databaseErrorOf(error)?.code;
      if (performance.now() >= until || OUR_MISTAKE.test(code ?? '')) throw error;
      failures += 1;
      if (failures % servers.count === 0) await sleep(PAUSE_MS);
    }
  }
}
