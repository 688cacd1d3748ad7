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
export function senderAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const header = [headers['x-forwarded-for'] ?? []].flat().join();
  return (trustProxy ? forwarded(header) : undefined) ?? socket.remoteAddress ?? 'unknown';
}

/** The sender's IP address. `X-Forwarded-For` counts only where the configuration says that a proxy stands in front, which wrote its last entry. */
export function clientAddress(c: Context, platform: Platform): string {
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

/** A network that is counted, and how many times the limit's points it has. */
type CountedNetwork = { key: string; factor: number };

/**
 * Prefixes of IPv6 in 16-bit groups, narrow to wide, and their share of a limit. A home or an office is given a /56 or
 * a /48 (RFC 6177, BCP 157), so that one visitor has 256 or 65,536 networks of 64 bits; behind a mobile operator such a
 * prefix is many visitors, who each have one /64.
 */
const PREFIXES = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
] as const;

/**
 * What a limit counts a key by, narrow to wide: an IPv6 address by its /64, its /56 and its /48, an IPv4 address by
 * itself, also where it is mapped to IPv6 (RFC 4291, 2.5.5.2). In a key of several lines the last may be an address:
 * the others stay in front of it. What is no address stays as it is.
 */
export function countedNetworks(key: string): CountedNetwork[] {
  const last = key.lastIndexOf('\n') + 1;
  const [before, address] = [key.slice(0, last), key.slice(last)];
  const groups = groupsOf(address);
  if (groups === null) return [{ key, factor: 1 }];
  if (typeof groups === 'string') return [{ key: before + groups, factor: 1 }];
  return PREFIXES.map(({ bits, factor }) => {
    const kept = groups.slice(0, 4).map((group, at) => {
      const shift = Math.max(0, (at + 1) * 16 - bits);
      return ((Number.parseInt(group, 16) >> shift) << shift).toString(16);
    });
    return { key: `${before}${kept.join(':')}::/${bits}`, factor };
  });
}

/** The eight groups of an IPv6 address, or an IPv4 address; null for neither an IPv6 nor a mapped address. */
function groupsOf(address: string): string[] | string | null {
  const [bare = ''] = address.split('%');
  const mapped = /^::(?:ffff:(?:0:)?)?(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped) return mapped;
  if (!/^[0-9a-f]*:[0-9a-f:.]*$/i.test(bare) || !URL.canParse(`http://[${bare}]/`)) return null;
  // As the URL standard writes it: short, in lower case.
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const after = tail === undefined ? [] : groups(tail);
  const before = groups(head);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const all = tail === undefined ? before : [...before, ...zeros, ...after];
  const [hi = '', lo = ''] = all.slice(6).map((group) => group.padStart(4, '0'));
  if (all.slice(0, 5).every((group) => group === '0') && all[5] === 'ffff') {
    return Buffer.from(hi + lo, 'hex').join('.');
  }
  return all;
}
