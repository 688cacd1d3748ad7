/** Where an open page of the desk hears that something changed. */
export const EVENTS_PATH = '/admin/live/events';

/** Milliseconds between two requests of a page that hears nothing: the browser or a proxy lets no stream through. */
const ALONE_MS = 60_000;
/** Of one that hears: for what changes by time alone, such as a claim that lapses. */
const BESIDE_MS = 300_000;
/** At least so long between two requests, however much changes. */
const SHORTEST_MS = 1000;

/**
 * Calls `ask` when the service tells that something changed, and from time to time where it cannot. Only a page in sight
 * listens: browsers allow few streams at once, and each page that comes back is told what it missed. `since`: the moment
 * of what the page shows, in milliseconds since 1970. Returns how to stop. For browsers.
 */
export function watchChanges({ since, ask }: { since: () => number; ask: () => void }): () => void {
  let stream: EventSource | null = null;
  let askedAt = performance.now();
  let soon: ReturnType<typeof setTimeout> | undefined;

  const isSeen = () => document.visibilityState === 'visible';

  function askNow() {
    clearTimeout(soon);
    soon = undefined;
    askedAt = performance.now();
    ask();
  }

  function askSoon() {
    const wait = Math.max(0, SHORTEST_MS - (performance.now() - askedAt));
    soon ??= setTimeout(askNow, wait);
  }

  function listen() {
    // A stream that was refused is closed; one that was lost connects again by itself.
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource(`${EVENTS_PATH}?since=${since()}`);
    stream.addEventListener('changed', askSoon);
    // The answer to the request says why.
    stream.addEventListener('ended', () => {
      stop();
      askNow();
    });
  }

  function stop() {
    stream?.close();
    stream = null;
  }

  const look = () => (isSeen() ? listen() : stop());
  const timer = setInterval(() => {
    if (!isSeen()) return;
    const isHearing = stream?.readyState === EventSource.OPEN;
    const wait = isHearing ? BESIDE_MS : ALONE_MS;
    // The timer is a little early now and then.
    if (performance.now() - askedAt >= wait - SHORTEST_MS) askNow();
    listen();
  }, ALONE_MS);
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    stop();
    clearTimeout(soon);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
