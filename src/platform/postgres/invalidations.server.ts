import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notification, Pool, PoolClient } from 'pg';
import type { Log } from '../log/log.server.ts';
import { CHANNEL, DESK_CHANNEL, deskKinds, type DeskKind, type Topic } from './topics.ts';
import type { Database, Queryable } from './database.server.ts';
import { assertOutsideTransaction } from './transaction-scope.server.ts';

/** Notifications of changes that any process made. */
export type Invalidations = {
  /**
   * Stays the same as long as nothing of the topic was changed. Null while no notification would arrive: then nothing
   * in memory may be trusted for longer than a moment.
   */
  mark(topic: Topic): string | null;
  /** Whether notifications arrive. */
  isListening(): boolean;
  /**
   * Calls back at each change that open pages of the desk may show, and with null once notifications arrive again after
   * a time in which some may have been missed. Returns how to stop.
   */
  onDeskChange(heard: DeskListener): () => void;
  close(): Promise<void>;
};

type DeskListener = (kind: DeskKind | null) => void;

/** Between two checks that notifications still arrive. */
const CHECK_MS = 5000;
/** A notification that takes longer is lost, and its connection with it. */
const CHECK_DEADLINE_MS = 2000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

/**
 * Listens on one connection of its own, taken from `pool`, and connects again after growing pauses when it is lost.
 * Whatever was in memory before is invalid after each connecting: what was notified meanwhile was not heard. Every few
 * seconds it notifies itself, so that a dead network, or a connection pooler that passes no notifications on, is not
 * taken for a time without changes.
 */
export function listenForInvalidations(
  pool: Pool,
  log: Log,
  { checkMs = CHECK_MS }: { checkMs?: number } = {},
): Invalidations {
  const own = `lale_check_${randomBytes(8).toString('hex')}`;
  const stopping = new AbortController();
  const counts = new Map<string, number>();
  let connections = 0;
  let heardAt: number | null = null;
  let checks = 0;
  const waiting = new Map<string, () => void>();
  const deskListeners = new Set<DeskListener>();

  const tellDesk = (kind: DeskKind | null) => {
    for (const heard of deskListeners) heard(kind);
  };

  function onNotification({ channel, payload = '' }: Notification) {
    if (channel === own) waiting.get(payload)?.();
    else if (channel === DESK_CHANNEL) {
      const kind = deskKinds.find((one) => one === payload);
      if (kind) tellDesk(kind);
    } else counts.set(payload, (counts.get(payload) ?? 0) + 1);
  }

  async function check(client: PoolClient, lost: Promise<never>): Promise<void> {
    const id = String(++checks);
    const heard = new Promise<void>((resolve) => waiting.set(id, resolve));
    const deadline = new AbortController();
    const late = sleep(CHECK_DEADLINE_MS, undefined, { signal: deadline.signal, ref: false }).then(
      () => Promise.reject(new Error('no notification arrives')),
    );
    late.catch(() => undefined);
    try {
      const notified = client.query('select pg_notify($1, $2)', [own, id]);
      notified.catch(() => undefined);
      await Promise.race([Promise.all([notified, heard]), lost, late]);
      heardAt = performance.now();
    } finally {
      deadline.abort();
      waiting.delete(id);
    }
  }

  async function listenUntilLost(): Promise<void> {
    const client = await pool.connect();
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => undefined);
    const lose = (error?: Error) => reject(error ?? new Error('the connection ended'));
    client.on('notification', onNotification);
    client.once('error', lose);
    client.once('end', lose);
    const stop = () => lose();
    stopping.signal.addEventListener('abort', stop);
    // If `close` was called while it connected, the event has fired already.
    if (stopping.signal.aborted) stop();
    try {
      await Promise.race([
        client.query(`listen ${CHANNEL}; listen ${DESK_CHANNEL}; listen ${own}`),
        lost,
      ]);
      await check(client, lost);
      // From here on every change is notified; earlier ones may have been missed.
      connections++;
      tellDesk(null);
      log[connections > 1 ? 'info' : 'debug'](
        { connections },
        'changes made by other processes are heard of',
      );
      for (;;) {
        await Promise.race([sleep(checkMs, undefined, { ref: false }), lost]);
        await check(client, lost);
      }
    } finally {
      heardAt = null;
      stopping.signal.removeEventListener('abort', stop);
      client.removeAllListeners('notification');
      client.release(true);
    }
  }

  async function keepListening(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const before = connections;
      try {
        await listenUntilLost();
      } catch (err) {
        if (stopping.signal.aborted) return;
        if (connections > before) pause = FIRST_PAUSE_MS;
        // Warns once for each lost connection, and once where connecting never worked.
        const isNews = connections > before || pause === FIRST_PAUSE_MS * 2;
        log[isNews ? 'warn' : 'debug'](
          { err },
          'changes made by other processes are not heard of, asking every second',
        );
      }
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  // A process that was blocked for long may have missed notifications.
  const isListening = () =>
    heardAt !== null && performance.now() - heardAt <= checkMs * 2 + CHECK_DEADLINE_MS;

  const listening = keepListening();
  return {
    mark: (topic) => (isListening() ? `${connections} ${counts.get(topic) ?? 0}` : null),
    isListening,
    onDeskChange(heard) {
      deskListeners.add(heard);
      return () => void deskListeners.delete(heard);
    },
    close() {
      stopping.abort();
      return listening;
    },
  };
}

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
export const databaseInvalidations = (database: Database | Pool): Invalidations | undefined =>
  invalidationsByDatabase.get(database);

/** Marks when something was read, to tell later whether it is still valid. */
export type ReadMark = { mark: string | null; at: number };

/** To be taken before reading: what changes during it is then noticed. */
export const readMark = (database: Queryable | Pool, topic: Topic): ReadMark => ({
  mark: invalidationsByDatabase.get(database)?.mark(topic) ?? null,
  at: performance.now(),
});

/**
 * Whether what was read then is what the database holds now: for certain while notifications arrive, else not older
 * than a second.
 */
export function isFresh(database: Queryable | Pool, topic: Topic, { mark, at }: ReadMark): boolean {
  const now = invalidationsByDatabase.get(database)?.mark(topic) ?? null;
  return now === null ? performance.now() - at < UNNOTIFIED_MS : now === mark;
}

type Cached<T> = { read: ReadMark; value: Promise<T> };

type CacheUntilChanged<T> = {
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
      const at = readMark(db, topic);
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
