import type { Database } from '~/platform/postgres/database.server.ts';
import { invalidationsOf } from '~/platform/postgres/invalidations.server.ts';
import type { DeskKind } from '~/platform/postgres/topics.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** What an event says: kinds of change, or `all` where some may have been missed. Never whose. */
export type Changed = DeskKind | 'all';

export type Watcher = {
  staffId: string;
  changed: (kinds: readonly Changed[]) => void;
  end: () => void;
};

/** Milliseconds in which changes are gathered: an action often changes several tables. */
const GATHER_MS = 200;
/** Milliseconds between two events at least, however much changes. */
const PAUSE_MS = 2000;
/** Open pages of one person in one process. */
export const MOST_STREAMS = 12;

export type Hub = {
  /** Returns how to leave; `full` where the person has `MOST_STREAMS`, `ending` where the process stops. */
  enter(watcher: Watcher): (() => void) | 'full' | 'ending';
  /** Whether something changed at or after a moment, as far as this process can know. */
  hasChangedSince(moment: number): boolean;
  /** Whether changes are notified now; otherwise whoever watches has to look from time to time. */
  isHearing(): boolean;
  /** Open streams. */
  count(): number;
  /** Ends all streams, and refuses new ones. */
  end(): void;
};

/**
 * Passes the changes that PostgreSQL notifies on to the open pages of this process. The process listens on one connection
 * for everything; each page has a stream of its own.
 */
function makeHub({ db, now }: Pick<Platform, 'db' | 'now'>): Hub {
  const watchers = new Set<Watcher>();
  const gathered = new Set<Changed>();
  let isEnding = false;
  let timer: NodeJS.Timeout | undefined;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  // What changed before the first page was open is not known.
  let changedAt = now().getTime();
  let leave: (() => void) | undefined;

  function hear(kind: DeskKind | null): void {
    changedAt = now().getTime();
    gathered.add(kind ?? 'all');
    if (timer || watchers.size === 0) return;
    const wait = Math.max(GATHER_MS, notifiedAt + PAUSE_MS - performance.now());
    timer = setTimeout(tell, wait).unref();
  }

  function tell(): void {
    timer = undefined;
    notifiedAt = performance.now();
    const kinds = [...gathered];
    gathered.clear();
    for (const watcher of watchers) watcher.changed(kinds);
  }

  return {
    enter(watcher) {
      if (isEnding) return 'ending';
      leave ??= invalidationsOf(db)?.onDeskChange(hear);
      const own = [...watchers].filter(({ staffId }) => staffId === watcher.staffId);
      if (own.length >= MOST_STREAMS) return 'full';
      if (watchers.size === 0) gathered.clear();
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    hasChangedSince: (moment) => changedAt >= moment,
    isHearing: () => invalidationsOf(db)?.isListening() ?? false,
    count: () => watchers.size,
    end() {
      isEnding = true;
      leave?.();
      clearTimeout(timer);
      for (const watcher of watchers) watcher.end();
    },
  };
}

const hubs = new WeakMap<Database, Hub>();

/** The one hub of a process. */
export function hubOf(platform: Pick<Platform, 'db' | 'now'>): Hub {
  const known = hubs.get(platform.db);
  if (known) return known;
  const made = makeHub(platform);
  hubs.set(platform.db, made);
  return made;
}

/** Ends the streams of a process that is stopping: their pages connect to another one. */
export const endStreams = (platform: Pick<Platform, 'db' | 'now'>): void => hubOf(platform).end();
