import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import Bowser from 'bowser';

const PURPOSE = 'staff.known_device';
const DAYS = 180;
const DAY_S = 24 * 3600;

const payload = z.object({ account: z.uuid(), device: z.uuid() });

/** One cookie for each account, so that two people can use one computer. */
const nameFor = (accountId: string): string =>
  `lale_staff_device_${createHash('sha256').update(accountId).digest('hex').slice(0, 12)}`;

/**
 * The cookie that marks this browser as a known device of an account after a complete sign-in. It grants nothing: wrong
 * passwords from it are counted separately (OWASP, device cookies).
 */
export function knownDeviceCookie(
  platform: Platform,
  request: Request,
  accountId: string,
): SetCookie {
  const expires = new Date(platform.now().getTime() + DAYS * DAY_S * 1000);
  const device = knownDevice(platform, request, accountId) ?? randomUUID();
  const token = platform.signer.sign({ account: accountId, device }, PURPOSE, expires);
  return secretCookie(platform, nameFor(accountId), token, { maxAgeSeconds: DAYS * DAY_S });
}

/** The id of this device if somebody has signed in to the account on it; null for any other. */
export function knownDevice(
  platform: Platform,
  request: Request,
  accountId: string,
): string | null {
  const token = readSecretCookie(platform, request, nameFor(accountId));
  if (!token) return null;
  const verified = platform.signer.verify(token, PURPOSE, platform.now());
  if (!verified.ok) return null;
  const parsed = payload.safeParse(verified.payload);
  return parsed.success && parsed.data.account === accountId ? parsed.data.device : null;
}

/** Characters of a browser's header that are read. */
const MAX_HEADER_LENGTH = 500;

/**
 * Browser and system of a request for the list of sessions: "Firefox, Windows". Only names, from the User-Agent header;
 * null where it contains neither.
 */
export function deviceName(request: Request): string | null {
  const header = request.headers.get('user-agent')?.slice(0, MAX_HEADER_LENGTH);
  if (!header) return null;
  const { browser, os } = Bowser.parse(header);
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return names.length === 0 ? null : names.join(', ');
}
