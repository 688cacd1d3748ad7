import type { Pool } from 'pg';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter, type Limiter } from '~/platform/rate-limit.server.ts';

type Limits = {
  /** Look-ups by one address: a number is a secret of 60 bits, so this slows scanners, not families. */
  lookup: Limiter;
  /** Dates of birth tried for one application. */
  birthDate: Limiter;
};

/** A limiter blocks from its own memory and cleans up after itself: one of each per process. */
const perPool = new WeakMap<Pool, Limits>();

export function limitsOf({ pool }: Pick<Platform, 'pool'>): Limits {
  const known = perPool.get(pool);
  if (known) return known;
  const made = {
    lookup: makeLimiter(pool, { name: 'status_lookup', points: 60, seconds: 60 }),
    birthDate: makeLimiter(pool, { name: 'download_birth_date', points: 5, seconds: 3600 }),
  };
  perPool.set(pool, made);
  return made;
}
