import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import { TRIES_MINUTES } from './staff.ts';

const QUARTER_HOUR = TRIES_MINUTES * 60;

/** Wrong passwords for one account from one address, or one known device, in a quarter of an hour. */
export const GUESSES = 5;
/**
 * Wrong passwords for one account from all addresses together, in an hour, known devices excepted: others cannot lock
 * the owner out, and guessing from many addresses does not help.
 */
export const GUESSES_FROM_ANYWHERE = 20;
const HOUR = 60 * 60;
/** Tries from one address for any account: enough for an office behind one address. */
const TRIES_PER_ADDRESS = 100;

/**
 * Links of invitations and new passwords opened or submitted from one address, right or wrong. They are random and
 * cannot be guessed.
 */
const LINK_TRIES = 60;

/** Passkeys shown from one address without a success between: they cannot be guessed. */
const PASSKEYS_PER_ADDRESS = 30;

/** Ways to the identity provider and back from one address: each may ask the provider. */
const SIGN_ONS_PER_ADDRESS = 200;

/** Requests for a new password from one address, and emails to one address, in an hour. */
const RESETS_PER_ADDRESS = 20;
export const RESETS_PER_EMAIL = 3;

type GuessLimits = {
  /** By email address and the visitor's address. */
  pair: Limiter;
  /** By email address, from everywhere but known devices. */
  account: Limiter;
  /** By known device of the account. */
  device: Limiter;
  /** By account: the present password, asked for again. */
  password: Limiter;
  code: Limiter;
  address: Limiter;
  link: Limiter;
  /** By address: passkeys shown before signing in. */
  passkey: Limiter;
  /** By challenge: each is answered once. */
  passkeyChallenge: Limiter;
  signOn: Limiter;
  /** By the state of a sign-in at the identity provider: each returns once. */
  signOnState: Limiter;
  resetAddress: Limiter;
  resetEmail: Limiter;
};

/**
 * Counts tries for each typed email address, whether or not it has an account, so that neither count nor refusal tells
 * which accounts exist.
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
  passkey: makeLimiter(pool, {
    name: 'staff_passkey',
    points: PASSKEYS_PER_ADDRESS,
    seconds: QUARTER_HOUR,
  }),
  passkeyChallenge: makeLimiter(pool, {
    name: 'staff_passkey_challenge',
    points: 1,
    seconds: QUARTER_HOUR,
  }),
  signOn: makeLimiter(pool, {
    name: 'staff_sign_on',
    points: SIGN_ONS_PER_ADDRESS,
    seconds: QUARTER_HOUR,
  }),
  signOnState: makeLimiter(pool, { name: 'staff_sign_on_state', points: 1, seconds: QUARTER_HOUR }),
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
