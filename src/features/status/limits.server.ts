import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limit, type Limiter } from '~/platform/http/rate-limit.server.ts';
import { BIRTH_DATE_TRIES, BIRTH_DATE_TRIES_MONTH } from './status-view.ts';

/**
 * Look-ups by one address that find nothing. A number has 60 random bits, so even a limit that nobody reaches by
 * mistyping rules out guessing.
 */
export const LOOKUP_LIMIT: Limit = { name: 'status_lookup', points: 60, seconds: 60 };

type Limits = {
  /** `LOOKUP_LIMIT` */
  lookup: Limiter;
  /** Dates of birth tried for one application in an hour, the payer's own browsers excepted. */
  birthDate: Limiter;
  /** Wrong ones in a month: a known year is not guessed by five an hour. */
  birthDateMonth: Limiter;
  /** Emails that the status page was asked for, by application. */
  asked: Limiter;
};

export const limitsOf = oncePerPool((pool): Limits => ({
  lookup: makeLimiter(pool, LOOKUP_LIMIT),
  birthDate: makeLimiter(pool, {
    name: 'download_birth_date',
    points: BIRTH_DATE_TRIES,
    seconds: 3600,
  }),
  birthDateMonth: makeLimiter(pool, {
    name: 'download_birth_date_month',
    points: BIRTH_DATE_TRIES_MONTH,
    seconds: 30 * 24 * 3600,
  }),
  asked: makeLimiter(pool, { name: 'status_email', points: 3, seconds: 3600 }),
}));
