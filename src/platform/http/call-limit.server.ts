import type { MiddlewareHandler } from 'hono';
import { addressOf } from './address.server.ts';
import type { Platform } from '../platform.server.ts';
import { problem } from './problem.server.ts';
import { makeLimiter, type Limit } from './rate-limit.server.ts';

/** Refuses a call with 429 once its sender's address has made too many of them. */
export function limitCalls(platform: Platform, limit: Limit): MiddlewareHandler {
  const limiter = makeLimiter(platform.pool, limit);
  return async (c, next) => {
    const { allowed, retryAfterSeconds } = await limiter.consume(addressOf(c, platform));
    if (allowed) return next();
    return problem({
      code: 'too_many_calls',
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  };
}
