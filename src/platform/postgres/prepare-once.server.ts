import type { Queryable } from './database.server.ts';
import { transactionConnection } from './transaction-scope.server.ts';
import type { Pool } from 'pg';

/**
 * A query that is built once for a database, by `.prepare(UNNAMED)`, and run with other placeholders each time: Drizzle
 * takes a third of a millisecond to build a large one. For transactions it is built once for each connection.
 */
export function prepareOnce<Q>(build: (db: Queryable) => Q): (db: Queryable) => Q {
  const built = new WeakMap<Queryable, Q>();
  return (db) => {
    const home = transactionConnection(db) ?? db;
    const known = built.get(home);
    if (known !== undefined) return known;
    const query = build(home);
    built.set(home, query);
    return query;
  };
}

/** Forms of one query that are kept for each database or connection, at most. */
const MAX_CACHED_FORMS = 50;

/** The same for a query of many forms. Its key is all that a form depends on but placeholders, as JSON. */
export function prepareOnceForEach<Form extends object, Q>(
  build: (db: Queryable, form: Form) => Q,
): (db: Queryable, form: Form) => Q {
  const forms = prepareOnce((db) => ({ db, built: new Map<string, Q>() }));
  return (queryable, form) => {
    const { db, built } = forms(queryable);
    const key = JSON.stringify(form);
    const known = built.get(key);
    if (known !== undefined) return known;
    if (built.size >= MAX_CACHED_FORMS) built.clear();
    const query = build(db, form);
    built.set(key, query);
    return query;
  };
}

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
