import { readSecretCookie, secretCookie } from '~/platform/cookies.server.ts';
import { hashToken, randomToken } from '~/platform/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { draftOf, forgetDrafts, type Draft } from './draft-store.server.ts';

const COOKIE = 'lale_insurance';
const SECONDS = 30 * 24 * 3600;
/** As many random bits as make it unguessable; also the form of a key that a page brings along. */
const BITS = 128;
const TOKEN = /^[\w-]{22}$/;

/** A new name for an opening of the form, and the token of its draft once it is kept. */
export const newKey = (): string => randomToken(BITS);

/**
 * The token of this browser's draft: its cookie's, else the one that its page was given. A cookie that opens no draft was
 * planted, or its draft is over: it never becomes the key of what is typed here.
 */
export async function draftToken(
  platform: Platform,
  request: Request,
  key: unknown,
): Promise<string> {
  const kept = readSecretCookie(platform, request, COOKIE);
  if (kept && (await openDraft(platform, request))) return kept;
  return typeof key === 'string' && TOKEN.test(key) ? key : newKey();
}

/** The draft of this browser, or null where it has none or its 30 days are over. */
export async function openDraft(platform: Platform, request: Request): Promise<Draft | null> {
  const token = readSecretCookie(platform, request, COOKIE);
  if (!token || !TOKEN.test(token)) return null;
  return draftOf(platform.db, platform.sealer, hashToken(token), platform.now());
}

export const draftCookie = (platform: Pick<Platform, 'config'>, token: string): string =>
  secretCookie(platform, COOKIE, token, { maxAgeSeconds: SECONDS });

const AT_ONCE = 500;

/** Deletes the drafts whose time is over, with their photos; returns how many. For a recurring job. */
export async function forgetInsuranceDrafts({
  db,
  files,
  now,
}: Pick<Platform, 'db' | 'files' | 'now'>): Promise<number> {
  const gone = await db.transaction((tx) => forgetDrafts(tx, now(), AT_ONCE));
  for (const id of gone.fileIds) await files.remove(id);
  return gone.drafts;
}
