import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import { TRIES_MINUTES } from './staff.ts';

const QUARTER_HOUR = TRIES_MINUTES * 60;

/** Wrong guesses at one account from one address, or from one device that knows it, in a quarter of an hour. */
export const GUESSES = 5;
/**
 * Guesses at one account from all addresses together, in an hour, devices that know it apart: who owns the account is
 * never locked out by others there, and who guesses from many addresses still gets no further.
 */
export const GUESSES_FROM_ANYWHERE = 20;
const HOUR = 60 * 60;
/** Tries from one address, whoever they are for: an office behind one address still gets in. */
const TRIES_PER_ADDRESS = 100;

/** Links of invitations and to new passwords that one address opens or sends, right or wrong. They are random; nobody finds one by trying. */
export const LINK_TRIES = 60;

/** Links to a new password that one address asks for, and that are sent to one e-mail address, in an hour. */
export const RESETS_PER_ADDRESS = 20;
export const RESETS_PER_EMAIL = 3;

export type GuessLimits = {
  /** By e-mail address and the visitor's address. */
  pair: Limiter;
  /** By e-mail address, from everywhere but known devices. */
  account: Limiter;
  /** By the device that the account was signed in on. */
  device: Limiter;
  /** By account: the present password, asked for again. */
  password: Limiter;
  code: Limiter;
  address: Limiter;
  link: Limiter;
  resetAddress: Limiter;
  resetEmail: Limiter;
};

/**
 * Counts tries per typed e-mail address, whether or not there is such an account: neither the count nor the
 * refusal tells which accounts exist.
 */
export const guessLimits = oncePerPool((pool): GuessLimits => ({
  pair: makeLimiter(pool, { name: 'staff_pair', points: GUESSES, seconds: QUARTER_HOUR }),
  account: makeLimiter(pool, {
    name: 'staff_account',
    points: GUESSES_FROM_ANYWHERE,
    seconds: HOUR,
  }),
  device: makeLimiter(pool, { name: 'staff_device', points: GUESSES, seconds: QUARTER_HOUR }),
  password: makeLimiter(pool, { name: 'staff_password', points: GUESSES, seconds: QUARTER_HOUR }),
  code: makeLimiter(pool, { name: 'staff_code', points: GUESSES, seconds: QUARTER_HOUR }),
  address: makeLimiter(pool, {
    name: 'staff_address',
    points: TRIES_PER_ADDRESS,
    seconds: QUARTER_HOUR,
  }),
  link: makeLimiter(pool, {
    name: 'staff_link',
    points: LINK_TRIES,
    seconds: QUARTER_HOUR,
  }),
  resetAddress: makeLimiter(pool, {
    name: 'staff_reset_address',
    points: RESETS_PER_ADDRESS,
    seconds: HOUR,
  }),
  resetEmail: makeLimiter(pool, {
    name: 'staff_reset_email',
    points: RESETS_PER_EMAIL,
    seconds: HOUR,
  }),
}));
