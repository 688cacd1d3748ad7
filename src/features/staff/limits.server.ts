import type { Pool } from 'pg';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter, type Limiter } from '~/platform/rate-limit.server.ts';

const QUARTER_HOUR = 15 * 60;

/** Wrong guesses before the door stays shut for a quarter of an hour. */
export const GUESSES = 5;
/** Tries from one address, whoever they are for: an office behind one address still gets in. */
const TRIES_PER_ADDRESS = 100;

/** Links of invitations that one address opens or sends, right or wrong. They are random; nobody finds one by trying. */
export const INVITATION_TRIES = 60;

export type GuessLimits = {
  account: Limiter;
  code: Limiter;
  address: Limiter;
  invitation: Limiter;
};

/** A limiter has timers and a memory of its own: one set per database pool. */
const known = new WeakMap<Pool, GuessLimits>();

/**
 * Counts tries per typed e-mail address, whether or not there is such an account: neither the count nor the
 * refusal tells which accounts exist.
 */
export function guessLimits({ pool }: Pick<Platform, 'pool'>): GuessLimits {
  const made = known.get(pool);
  if (made) return made;
  const limits = {
    account: makeLimiter(pool, { name: 'staff_guess', points: GUESSES, seconds: QUARTER_HOUR }),
    code: makeLimiter(pool, { name: 'staff_code', points: GUESSES, seconds: QUARTER_HOUR }),
    address: makeLimiter(pool, {
      name: 'staff_address',
      points: TRIES_PER_ADDRESS,
      seconds: QUARTER_HOUR,
    }),
    invitation: makeLimiter(pool, {
      name: 'staff_invitation',
      points: INVITATION_TRIES,
      seconds: QUARTER_HOUR,
    }),
  };
  known.set(pool, limits);
  return limits;
}
