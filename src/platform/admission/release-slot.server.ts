import type { ServerResponse } from 'node:http';

const slots = new WeakMap<ServerResponse, () => void>();

/** Stores how the request of an answer releases its slot among those that are worked on. */
export function registerSlot(outgoing: ServerResponse, release: () => void): void {
  slots.set(outgoing, release);
}

/**
 * Releases the slot of a request that is answered by a stream: it stays open for hours and works for milliseconds, so it
 * must not count among the requests that are worked on at a time.
 */
export function releaseSlot(outgoing: ServerResponse | undefined): void {
  if (outgoing) slots.get(outgoing)?.();
}
