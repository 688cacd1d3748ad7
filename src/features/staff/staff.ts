import type { Role } from './roles.ts';

/** The signed-in person. */
export type Staff = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** False for the first administrator until they have said what they are called. */
  readonly isNamed: boolean;
  readonly role: Role;
  /** Whether an authenticator app is set up. */
  readonly hasSecondFactor: boolean;
  /** How long their decisions can be undone. */
  readonly undoSeconds: number;
  /** Whether this session was opened with another second factor: that of the identity provider, or a passkey. */
  readonly provedFactor: boolean;
  /** The view of the queue that they begin with; null for the whole list. */
  readonly startView: string | null;
};

/** Characters of a name at the desk. */
export const MAX_STAFF_NAME_LENGTH = 100;

/** What opens a session. */
export const signInMethods = ['password', 'provider', 'passkey'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** Milliseconds after which a session ends without a request, and in any case. */
export const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 60 * 60_000;
/** Minutes to wait after too many tries. */
export const TRIES_MINUTES = 15;
export const INVITATION_DAYS = 7;
/** Milliseconds between password and second factor. */
export const HALF_MS = 10 * 60_000;
/** Milliseconds for which a proof that it is still the same person holds, for one action. */
export const PROOF_MS = 5 * 60_000;

/** The specification's message for a wrong password is Turkish, whatever the page's language. */
export const WRONG_PASSWORD_ALERT = 'E-posta adresi veya şifre hatalı.';

const PAGE = /^\/admin(\/[\w/-]*)?$/;

/** The page to open after signing in: one of the desk, never an external address. */
export const pageAfterSignIn = (asked: string | null): string =>
  asked !== null && PAGE.test(asked) ? asked : '/admin';

/**
 * Seconds in which somebody can undo a decision of their own, of which each person chooses one (WCAG 2.2, 2.2.1). What a
 * decision causes is held back as long, so the longest is what travellers can well wait for an email.
 */
export const undoSeconds = [10, 30, 60, 600] as const;

export const DEFAULT_UNDO_SECONDS = undoSeconds[0];

/** What somebody chose; null for what is none of them. */
export const readUndoSeconds = (typed: string): number | null =>
  undoSeconds.find((one) => String(one) === typed) ?? null;
