import { problem } from '~/platform/http/problem.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limit, type Limiter } from '~/platform/http/rate-limit.server.ts';

/** Photos from one address: each takes up to half a second of processor time. */
export const PHOTO_LIMIT: Limit = { name: 'insurance_photos', points: 60, seconds: 600 };

type Limits = {
  /** `PHOTO_LIMIT` */
  photos: Limiter;
  /** Certificate look-ups from one address. Codes are secrets of 128 bits, so this only slows scanners. */
  verify: Limiter;
};

export const limitsOf = oncePerPool((pool): Limits => ({
  photos: makeLimiter(pool, PHOTO_LIMIT),
  verify: makeLimiter(pool, { name: 'insurance_verify', points: 60, seconds: 60 }),
}));

/** The response of a call with more photos than one address may send. */
export const tooManyPhotos = (): Response =>
  problem({
    code: 'too_many_photos',
    headers: { 'Retry-After': String(PHOTO_LIMIT.seconds) },
  });
