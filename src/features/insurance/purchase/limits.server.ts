import { problem } from '~/platform/http/problem.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';

/** Seconds within which the photos from one address are counted together. */
const PHOTO_LIMIT_SECONDS = 600;

type Limits = {
  /** Photos from one address: each takes up to half a second of processor time. */
  photos: Limiter;
  /** Certificate look-ups from one address. Codes are secrets of 128 bits, so this only slows scanners. */
  verify: Limiter;
};

export const limitsOf = oncePerPool((pool): Limits => ({
  photos: makeLimiter(pool, {
    name: 'insurance_photos',
    points: 60,
    seconds: PHOTO_LIMIT_SECONDS,
  }),
  verify: makeLimiter(pool, { name: 'insurance_verify', points: 60, seconds: 60 }),
}));

/** The response of a call with more photos than one address may send. */
export const tooManyPhotos = (): Response =>
  problem({
    status: 429,
    code: 'too_many_photos',
    detail: 'Too many photos. Try again later',
    headers: { 'Retry-After': String(PHOTO_LIMIT_SECONDS) },
  });
