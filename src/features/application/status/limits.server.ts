import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import { BIRTH_DATE_TRIES } from './status-view.ts';

type Limits = {
  /**
   * Look-ups by one address. A number has 60 random bits, so even a limit that no family reaches rules out guessing.
   */
  lookup: Limiter;
  /** Dates of birth tried for one application. */
  birthDate: Limiter;
};

export const limitsOf = oncePerPool((pool): Limits => ({
  lookup: makeLimiter(pool, { name: 'status_lookup', points: 60, seconds: 60 }),
  birthDate: makeLimiter(pool, {
    name: 'download_birth_date',
    points: BIRTH_DATE_TRIES,
    seconds: 3600,
  }),
}));
