import type { Pool } from 'pg';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter, type Limiter } from '~/platform/rate-limit.server.ts';

const perPool = new WeakMap<Pool, Limiter>();

/** Drawings of one receipt: each takes a tenth of a second of computing, and somebody may hold the link down. */
export function drawLimit({ pool }: Pick<Platform, 'pool'>): Limiter {
  const known = perPool.get(pool);
  if (known) return known;
  const made = makeLimiter(pool, { name: 'receipt_drawing', points: 20, seconds: 60 });
  perPool.set(pool, made);
  return made;
}
