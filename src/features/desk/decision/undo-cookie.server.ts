import { cookieHeader, readSecretCookie, secretCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { UNDO_SECONDS } from './undoable.ts';

const NAME = 'lale_desk_undo';

/**
 * The header of an answer that has decided something: for `UNDO_SECONDS` this browser's pages look for what can be
 * undone. All others save the statement.
 */
export const undoCookie = (platform: Platform) =>
  cookieHeader(secretCookie(platform, NAME, '1', { maxAgeSeconds: UNDO_SECONDS }));

/** Whether this browser has decided something just now. */
export const hasJustDecided = (platform: Platform, request: Request): boolean =>
  readSecretCookie(platform, request, NAME) !== undefined;
