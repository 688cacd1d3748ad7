import type { Pool } from 'pg';
import type { Database, Queryable } from './database.server.ts';
import type { Invalidations } from './listener.server.ts';
import type { Topic } from './topics.ts';

/** How long a cached value is used without asking while no notification would arrive, in milliseconds. */
const UNNOTIFIED_MS = 1000;

const invalidationsByDatabase = new WeakMap<Queryable | Pool, Invalidations>();

/** From now on, what is cached of these databases is valid until `invalidations` says otherwise. */
export function followInvalidations(
  invalidations: Invalidations,
  databases: readonly (Database | Pool)[],
): void {
  for (const database of databases) invalidationsByDatabase.set(database, invalidations);
}

/** What notifies of changes of a database; undefined where this process does not listen. */
export const invalidationsOf = (database: Database | Pool): Invalidations | undefined =>
  invalidationsByDatabase.get(database);

/** Marks when something was read, to tell later whether it is still valid. */
export type ReadAt = { mark: string | null; at: number };

/** To be taken before reading: what changes during it is then noticed. */
export const readAt = (database: Queryable | Pool, topic: Topic): ReadAt => ({
  mark: invalidationsByDatabase.get(database)?.mark(topic) ?? null,
  at: performance.now(),
});

/**
 * Whether what was read then is what the database holds now: for certain while notifications arrive, else not older
 * than a second.
 */
export function isFresh(database: Queryable | Pool, topic: Topic, { mark, at }: ReadAt): boolean {
  const now = invalidationsByDatabase.get(database)?.mark(topic) ?? null;
  return now === null ? performance.now() - at < UNNOTIFIED_MS : now === mark;
}
