import type { Queryable } from './database.server.ts';

/**
 * A query that is built once for a database, by `.prepare(UNNAMED)`, and run with other placeholders each time: Drizzle
 * takes a third of a millisecond to build a large one. Inside a transaction it is built for that transaction.
 */
export function builtOnce<Q>(build: (db: Queryable) => Q): (db: Queryable) => Q {
  const built = new WeakMap<Queryable, Q>();
  return (db) => {
    const known = built.get(db);
    if (known !== undefined) return known;
    const query = build(db);
    built.set(db, query);
    return query;
  };
}
