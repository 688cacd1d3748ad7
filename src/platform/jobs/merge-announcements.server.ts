import { z } from 'zod';
import type { Notification, PoolClient } from 'pg';

type Listener = (notification: Notification) => void;

/** What the queue calls new jobs by (graphile-worker 0.18), and how many there are. */
const CHANNEL = 'jobs:insert';
const announced = z.object({ count: z.int().default(1) });

/** How long further announcements wait for one another. */
export const MERGED_MS = 100;

/**
 * A listening client that hands on the first announcement of new jobs at once and those that follow it within
 * `MERGED_MS` as one, with the sum of their jobs. graphile-worker asks the database for a job at each; where hundreds a
 * second are announced, that costs a sixth of what storing them does.
 */
export function mergeAnnouncements(client: PoolClient): PoolClient {
  const merged = new Map<unknown, ReturnType<typeof merge>>();
  const on = (event: unknown, listener: unknown): unknown => {
    if (event !== 'notification' || !isListener(listener)) return send('on', event, listener);
    const mine = merge(listener);
    merged.set(listener, mine);
    return send('on', event, mine.listener);
  };
  const removeListener = (event: unknown, listener: unknown): unknown => {
    const mine = merged.get(listener);
    mine?.end();
    merged.delete(listener);
    return send('removeListener', event, mine?.listener ?? listener);
  };
  function send(method: 'on' | 'removeListener', ...given: unknown[]): unknown {
    return Reflect.apply(client[method], client, given);
  }
  return new Proxy(client, {
    get(target, name) {
      if (name === 'on') return on;
      if (name === 'removeListener') return removeListener;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const isListener = (value: unknown): value is Listener => typeof value === 'function';

function merge(hand: Listener) {
  let timer: NodeJS.Timeout | undefined;
  let held: { notification: Notification; count: number } | undefined;
  const handOn = () => {
    timer = undefined;
    if (!held) return;
    const { notification, count } = held;
    held = undefined;
    wait();
    hand({ ...notification, payload: JSON.stringify({ count }) });
  };
  const wait = () => void (timer = setTimeout(handOn, MERGED_MS).unref());
  return {
    listener(notification: Notification) {
      if (notification.channel !== CHANNEL) return hand(notification);
      if (timer === undefined) {
        wait();
        return hand(notification);
      }
      held = { notification, count: (held?.count ?? 0) + countOf(notification) };
    },
    end() {
      clearTimeout(timer);
      held = undefined;
    },
  };
}

/** One where it does not say, none where it says fewer, as the queue itself counts it. */
function countOf({ payload = '' }: Notification): number {
  try {
    return Math.max(0, announced.parse(JSON.parse(payload)).count);
  } catch {
    return 1;
  }
}
