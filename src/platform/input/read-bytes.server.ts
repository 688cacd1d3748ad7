import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Unreadable } from './unreadable.server.ts';

/** The body of a request as it came: for files, and for messages whose signature covers the exact bytes. */
export async function readBytes(
  request: Request,
): Promise<Outcome<Buffer<ArrayBuffer>, Unreadable>> {
  const bytes = await request.arrayBuffer().catch(() => null);
  return bytes === null ? refused('broken_off') : ok(Buffer.from(bytes));
}
