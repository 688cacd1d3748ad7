import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Unreadable } from './unreadable.server.ts';

const received = new WeakMap<Request, Buffer<ArrayBuffer>>();

/** `body`: what the listener received of this request before it was made; nothing has to be copied for it. */
export const setReceived = (request: Request, body: Buffer<ArrayBuffer>): void =>
  void received.set(request, body);

/**
 * The body of a request as it came: for files, and for messages whose signature covers the exact bytes. Those of a large
 * one can be read until its answer is made, not longer.
 */
export async function readBytes(
  request: Request,
): Promise<Outcome<Buffer<ArrayBuffer>, Unreadable>> {
  const known = received.get(request);
  if (known) return ok(known);
  const bytes = await request.arrayBuffer().catch(() => null);
  return bytes === null ? refused('broken_off') : ok(Buffer.from(bytes));
}

/**
 * Gives the memory of a body back now, as the next collection may come after many more of them: of one that has its
 * memory for itself, as a large one has. Whoever still read it would find it empty.
 */
export function releaseBytes({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength !== byteLength) return;
  // A worker's thread may have been given it.
  if (!buffer.detached) buffer.transfer(0);
}
