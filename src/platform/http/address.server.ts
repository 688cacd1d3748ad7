import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Platform } from '../platform.server.ts';

export type Bindings = HttpBindings;

/** The sender's IP address. `X-Forwarded-For` counts only where the configuration says that a proxy stands in front, which wrote its last entry. */
export function addressOf(c: Context, platform: Platform): string {
  if (platform.config.trustProxy) {
    const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
    if (forwarded) return forwarded;
  }
  try {
    return getConnInfo(c).remote.address ?? 'unknown';
  } catch {
    // Tests call the app without a socket.
    return 'unknown';
  }
}
