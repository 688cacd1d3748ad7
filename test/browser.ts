import { ensureSession } from '../src/features/order/payer/session.server.ts';
import type { Initiator } from '../src/features/payment/initiator.ts';
import type { Platform } from '../src/platform/platform.server.ts';

/** A payer, where the browser does not matter. */
export const somePayer: Initiator = { role: 'payer', sessionHash: null };

/** A browser with a session: its cookie, and the hash that an order stores. */
export function newBrowser(platform: Pick<Platform, 'config' | 'signer' | 'now'>): {
  cookie: string;
  sessionHash: Buffer;
} {
  const { hash, setCookie } = ensureSession(platform, new Request('http://localhost/'));
  return { cookie: setCookie.split(';')[0] ?? '', sessionHash: hash };
}
