import type { Pool } from 'pg';

/**
 * What a process has once for each pool of connections. Rate limiters are such: they block from their own memory and
 * clean up after themselves by timers, so a second one of a name would count for itself.
 */
export function oncePerPool<T>(make: (pool: Pool) => T): (platform: { pool: Pool }) => T {
  const made = new WeakMap<Pool, { value: T }>();
  return ({ pool }) => {
    const known = made.get(pool);
    if (known) return known.value;
    const value = make(pool);
    made.set(pool, { value });
    return value;
  };
}
