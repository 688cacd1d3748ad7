import type { z } from 'zod';
import { UnsealError } from '../crypto/crypto.server.ts';
import type { Platform } from '../platform.server.ts';
import { readSecretCookie, secretCookie, type SetCookie } from './cookies.server.ts';

type Sealing = Pick<Platform, 'config' | 'now' | 'sealer'>;

/**
 * A cookie that keeps something under way in the browser that began it, sealed, so that no other one can end it.
 * `seconds`: how long it holds, by its `startedAt` in milliseconds since 1970. `context`: what the seal is bound to.
 */
export function sealedCookie<Content extends { startedAt: number }>({
  name,
  context,
  seconds,
  content,
}: {
  name: string;
  context: string;
  seconds: number;
  content: z.ZodType<Content>;
}) {
  return {
    give: (platform: Sealing, value: Content): SetCookie =>
      secretCookie(platform, name, platform.sealer.sealJson(value, context).toString('base64url'), {
        maxAgeSeconds: seconds,
      }),

    takeAway: (platform: Sealing): SetCookie =>
      secretCookie(platform, name, '', { maxAgeSeconds: 0 }),

    /** Null for none, one that was not sealed here, or one that took too long. */
    read(platform: Sealing, request: Request): Content | null {
      const cookie = readSecretCookie(platform, request, name);
      if (!cookie) return null;
      try {
        const opened = platform.sealer.unsealJson(Buffer.from(cookie, 'base64url'), context);
        const parsed = content.safeParse(opened);
        if (!parsed.success) return null;
        const age = platform.now().getTime() - parsed.data.startedAt;
        return age >= 0 && age < seconds * 1000 ? parsed.data : null;
      } catch (error) {
        if (error instanceof UnsealError) return null;
        throw error;
      }
    },
  };
}
