import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import {
  requireAllowedCall,
  mayWatch,
  requireStaffApi,
  type StaffEnv,
} from '~/features/staff/require.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { EVENTS_PATH } from './live-state.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { databaseInvalidations } from '~/platform/postgres/invalidations.server.ts';
import type { DeskKind } from '~/platform/postgres/topics.ts';

/** What an event says: kinds of change, or `all` where some may have been missed. Never whose. */
type DeskChange = DeskKind | 'all';

type Watcher = {
  staffId: string;
  changed: (kinds: readonly DeskChange[]) => void;
  end: () => void;
};

/** Milliseconds in which changes are gathered: an action often changes several tables. */
const GATHER_MS = 200;
/** Milliseconds between two events at least, however much changes. */
const PAUSE_MS = 2000;
/** Open pages of one person in one process. */
export const MAX_STREAMS_PER_PERSON = 12;

type Hub = {
  /** Returns how to leave; `full` where the person has `MAX_STREAMS_PER_PERSON`, `ending` where the process stops. */
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
  const gathered = new Set<DeskChange>();
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
      leave ??= databaseInvalidations(db)?.onDeskChange(hear);
      const own = [...watchers].filter(({ staffId }) => staffId === watcher.staffId);
      if (own.length >= MAX_STREAMS_PER_PERSON) return 'full';
      if (watchers.size === 0) gathered.clear();
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    hasChangedSince: (moment) => changedAt >= moment,
    isHearing: () => databaseInvalidations(db)?.isListening() ?? false,
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
export function deskHub(platform: Pick<Platform, 'db' | 'now'>): Hub {
  const known = hubs.get(platform.db);
  if (known) return known;
  const made = makeHub(platform);
  hubs.set(platform.db, made);
  return made;
}

/** Ends the streams of a process that is stopping: their pages connect to another one. */
export const endStreams = (platform: Pick<Platform, 'db' | 'now'>): void => deskHub(platform).end();

/**
 * Between two signs of life: shorter than proxies wait for an answer (usually 60 seconds), and as often it is checked
 * that the reader is still signed in and may see the queue.
 */
const BEAT_MS = 25_000;
/** Events that may wait for a reader. */
const MAX_UNREAD_EVENTS = 4;
/** Milliseconds after which a browser connects again. */
const RETRY_MS = 3000;

/**
 * A stream of events for each open page of the desk: that something changed and of what kind, never what. The page then
 * asks `/admin/live` for what it shows. `since`, or the id of the last event: the moment of what the page knows, in
 * milliseconds since 1970; where something changed after it, the first event comes at once. The stream does not extend
 * the session, and ends with it.
 */
export function liveEvents(platform: Platform, { beatMs = BEAT_MS } = {}) {
  const app = new Hono<StaffEnv & { Bindings: Partial<HttpBindings> }>();
  app.use(EVENTS_PATH, requireStaffApi(platform, { isWatching: true }));
  app.get(EVENTS_PATH, requireAllowedCall('view_applications'), (c) => {
    const { staff } = c.var;
    const known = Number(c.req.header('last-event-id') ?? c.req.query('since') ?? 0);
    const request = new Request(c.req.url, { headers: { cookie: c.req.header('cookie') ?? '' } });
    const hub = deskHub(platform);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let write = async (_event: object): Promise<void> => undefined;
    const changed = (kinds: readonly DeskChange[]) =>
      void write({ event: 'changed', data: kinds.join(), id: String(platform.now().getTime()) });
    const leave = hub.enter({ staffId: staff.id, changed, end });
    if (typeof leave === 'string') {
      const refused = problem(leave === 'full' ? { code: 'too_many_pages' } : { code: 'ending' });
      refused.headers.set('Retry-After', '60');
      return refused;
    }

    const answer = streamSSE(c, async (stream) => {
      stream.onAbort(end);
      let unread = 0;
      write = async (event) => {
        // A reader that takes nothing any more is gone.
        if (unread >= MAX_UNREAD_EVENTS) return end();
        unread++;
        await stream.writeSSE({ data: '', ...event });
        unread--;
      };
      const moment = () => String(platform.now().getTime());
      if (Number.isFinite(known) && hub.hasChangedSince(known)) changed(['all']);
      else void write({ event: 'open', id: moment(), retry: RETRY_MS });
      const beat = async () => {
        if (!(await mayWatch(platform, request))) {
          await write({ event: 'ended' });
          return end();
        }
        // Where nobody notifies this process, the page looks for itself.
        if (hub.isHearing()) await write({ event: 'beat', id: moment() });
        else changed(['all']);
      };
      const beats = setInterval(() => void beat().catch(end), beatMs);
      await over;
      clearInterval(beats);
      leave();
    });
    // The connection ends with the stream, so that a process that stops is not kept by it.
    answer.headers.set('Connection', 'close');
    answer.headers.set('Cache-Control', 'no-store');
    answer.headers.set('X-Accel-Buffering', 'no');
    return answer;
  });
  return app;
}
