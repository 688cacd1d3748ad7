import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Platform } from '../platform.server.ts';

export type Bindings = HttpBindings;

/** The last entry of `X-Forwarded-For`: the one that the proxy in front wrote. */
const forwarded = (header: string | undefined): string | undefined =>
  header?.split(',').at(-1)?.trim() || undefined;

/** The same for a request that is not a `Request` yet. */
export function senderOf({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const header = [headers['x-forwarded-for'] ?? []].flat().join();
  return (trustProxy ? forwarded(header) : undefined) ?? socket.remoteAddress ?? 'unknown';
}

/** The sender's IP address. `X-Forwarded-For` counts only where the configuration says that a proxy stands in front, which wrote its last entry. */
export function addressOf(c: Context, platform: Platform): string {
  if (platform.config.trustProxy) {
    const address = forwarded(c.req.header('x-forwarded-for'));
    if (address) return address;
  }
  try {
    return getConnInfo(c).remote.address ?? 'unknown';
  } catch {
    // Tests call the app without a socket.
    return 'unknown';
  }
}
