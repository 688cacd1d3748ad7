import type { Queryable } from './database.server.ts';
import { connectionOf } from './transaction-scope.server.ts';

/**
 * A query that is built once for a database, by `.prepare(UNNAMED)`, and run with other placeholders each time: Drizzle
 * takes a third of a millisecond to build a large one. For transactions it is built once for each connection.
 */
export function prepareOnce<Q>(build: (db: Queryable) => Q): (db: Queryable) => Q {
  const built = new WeakMap<Queryable, Q>();
  return (db) => {
    const home = connectionOf(db) ?? db;
    const known = built.get(home);
    if (known !== undefined) return known;
    const query = build(home);
    built.set(home, query);
    return query;
  };
}

/** Forms of one query that are kept for each database or connection, at most. */
const MOST_FORMS = 50;

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
    if (built.size >= MOST_FORMS) built.clear();
    const query = build(db, form);
    built.set(key, query);
    return query;
  };
}
