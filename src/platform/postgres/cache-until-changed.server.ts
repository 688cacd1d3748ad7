import type { Database } from './database.server.ts';
import { assertOutsideTransaction } from './transaction-scope.server.ts';
import { isFresh, readAt, type ReadAt } from './freshness.server.ts';
import type { Topic } from './topics.ts';

type Cached<T> = { read: ReadAt; value: Promise<T> };

export type CacheUntilChanged<T> = {
  /**
   * The value of memory, or the database's where any process may have changed it.
   * @throws AskedInsideTransaction
   */
  current(db: Database): Promise<T>;
  /** After a change by this process: the next reading asks the database, without waiting for the notification. */
  invalidate(db: Database): void;
};

/**
 * Keeps what is read of one table in memory until any process changes that table: other processes know it within a
 * second. A reading that fails is not kept.
 */
export function cacheUntilChanged<T>({
  topic,
  read,
  isKept = () => true,
}: {
  topic: Topic;
  /** `before` is what was known; it may be answered again where it still holds. */
  read: (db: Database, before: T | undefined) => Promise<T>;
  /** Whether a value is worth keeping; otherwise the next one who asks reads again. */
  isKept?: (value: T) => boolean;
}): CacheUntilChanged<T> {
  const caches = new WeakMap<Database, Cached<T>>();
  return {
    current(db) {
      assertOutsideTransaction();
      const cached = caches.get(db);
      if (cached && isFresh(db, topic, cached.read)) return cached.value;
      const at = readAt(db, topic);
      const before = cached?.value.catch(() => undefined);
      // Wrapped in a promise of its own, because a query of Drizzle's is sent again each time it is awaited.
      const value = Promise.resolve(before).then((known) => read(db, known));
      caches.set(db, { read: at, value });
      const clear = () => {
        if (caches.get(db)?.value === value) caches.delete(db);
      };
      value.then((one) => void (isKept(one) || clear()), clear);
      return value;
    },
    invalidate: (db) => void caches.delete(db),
  };
}
