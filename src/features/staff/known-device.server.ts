import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

const PURPOSE = 'staff.known_device';
const DAYS = 180;
const DAY_S = 24 * 3600;

const payload = z.object({ account: z.uuid(), device: z.uuid() });

/** One cookie an account, so that two people at one computer do not push each other out. */
function cookieName({ config }: Pick<Platform, 'config'>, accountId: string): string {
  const suffix = createHash('sha256').update(accountId).digest('hex').slice(0, 12);
  const name = `lale_staff_device_${suffix}`;
  return config.publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * The header that makes this browser a known device of an account, after a whole sign-in. It opens nothing: guesses from
 * it are counted apart from everybody else's (OWASP, device cookies).
 */
export function knownDeviceCookie(platform: Platform, request: Request, accountId: string): string {
  const { config, signer } = platform;
  const expires = new Date(platform.now().getTime() + DAYS * DAY_S * 1000);
  const device = knownDevice(platform, request, accountId) ?? randomUUID();
  const token = signer.sign({ account: accountId, device }, PURPOSE, expires);
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(platform, accountId)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${DAYS * DAY_S}${secure}`;
}

/** The id of this device if somebody has signed in to the account on it; null for any other. */
export function knownDevice(
  platform: Platform,
  request: Request,
  accountId: string,
): string | null {
  const token = readCookie(request, cookieName(platform, accountId));
  if (!token) return null;
  const verified = platform.signer.verify(token, PURPOSE, platform.now());
  if (!verified.ok) return null;
  const parsed = payload.safeParse(verified.payload);
  return parsed.success && parsed.data.account === accountId ? parsed.data.device : null;
}
