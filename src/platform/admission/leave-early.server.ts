import type { ServerResponse } from 'node:http';

const places = new WeakMap<ServerResponse, () => void>();

/** Remembers how the request of an answer gives its place up. */
export function takePlace(outgoing: ServerResponse, leave: () => void): void {
  places.set(outgoing, leave);
}

/**
 * Gives up the place of a request that is answered by a stream: it goes on for hours and works for milliseconds, so it
 * must not count among the requests that are worked on at a time.
 */
export function leaveEarly(outgoing: ServerResponse | undefined): void {
  if (outgoing) places.get(outgoing)?.();
}
