import { cookieHeader, readSecretCookie, secretCookie } from '~/platform/http/cookies.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';

const NAME = 'lale_desk_undo';

/**
 * The header of an answer that has decided something: for as long as its author can undo it, this browser's pages look
 * for what can be undone. All others save the statement.
 */
export const undoCookie = (platform: Platform, { undoSeconds }: Pick<Staff, 'undoSeconds'>) =>
  cookieHeader(secretCookie(platform, NAME, '1', { maxAgeSeconds: undoSeconds }));

/** Whether this browser has decided something just now. */
export const hasJustDecided = (platform: Platform, request: Request): boolean =>
  readSecretCookie(platform, request, NAME) !== undefined;
