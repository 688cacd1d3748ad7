import type { Pool, PoolClient } from 'pg';

type Done = (release?: Error | boolean) => void;
type Connected = (error: Error | undefined, client: PoolClient | undefined, done: Done) => void;

/**
 * A pool whose clients may be given back twice. graphile-worker 0.18 does so with its listening client when the connection
 * breaks while it is being released; pg-pool throws on the second time where nobody can catch it, and an unhandled
 * rejection ends the process. `listening`: what becomes of that client, the only one it asks for by a callback.
 */
export function releaseOnce(
  pool: Pool,
  listening: (client: PoolClient) => PoolClient = (client) => client,
): Pool {
  const connect = (connected?: Connected) =>
    connected
      ? pool.connect((error, client, done) =>
          connected(error, client && listening(client), once(done)),
        )
      : pool.connect();
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function once(done: Done): Done {
  let isDone = false;
  return (release) => {
    if (isDone) return;
    isDone = true;
    done(release);
  };
}
