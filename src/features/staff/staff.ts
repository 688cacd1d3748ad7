import type { Role } from './roles.ts';

/** Who is signed in. */
export type Staff = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
};

/** A session ends after this long without a request, and after that long in any case. */
export const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 60 * 60_000;
/** Who used up the tries to prove who they are waits so long. */
export const TRIES_MINUTES = 15;
export const INVITATION_DAYS = 7;
/** Between password and second factor. */
export const HALF_MS = 10 * 60_000;

/** The specification's alert for a wrong password is Turkish, whatever the language of the page. */
export const WRONG_PASSWORD_ALERT = 'E-posta adresi veya şifre hatalı.';

const PAGE = /^\/admin(\/[\w/-]*)?$/;

/** Where to go after signing in: a page of the desk, never an address from outside. */
export const pageAfterSignIn = (asked: string | null): string =>
  asked !== null && PAGE.test(asked) ? asked : '/admin';
