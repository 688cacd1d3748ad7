import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { assertOutsideTransaction } from '../postgres/transaction-scope.server.ts';
import { isFresh, readMark } from '../postgres/invalidations.server.ts';
import { CHANNEL } from '../postgres/topics.ts';
import { countedNetworks, clientAddress } from './address.server.ts';
import type { MiddlewareHandler } from 'hono';
import type { Platform } from '../platform.server.ts';
import { problem } from './problem.server.ts';

declare module 'rate-limiter-flexible' {
  // Public in the library, and missing in its types. In milliseconds; 0 for a key that is not refused from memory.
  interface RateLimiterStoreAbstract {
    getInMemoryBlockMsBeforeExpire(key: string): number;
  }
}

export type Limit = {
  name: string;
  /** How many calls are allowed… */
  points: number;
  /** …in this many seconds, counted from the first. */
  seconds: number;
};

/** `remaining`: points left after this call. `resetSeconds`: until the count begins anew; 0 where nothing is counted. */
export type ConsumedLimit = {
  allowed: boolean;
  retryAfterSeconds: number;
  remaining: number;
  resetSeconds: number;
};

/** What the draft “RateLimit header fields for HTTP” of the IETF (version 6) has answers say of a limit. */
export const rateLimitHeaders = (
  { points }: Limit,
  { remaining, resetSeconds }: ConsumedLimit,
): Record<string, string> => ({
  'RateLimit-Limit': String(points),
  'RateLimit-Remaining': String(Math.min(points, remaining)),
  'RateLimit-Reset': String(resetSeconds),
});

export type Limiter = {
  consume(key: string, points?: number): Promise<ConsumedLimit>;
  /**
   * The refusal of a caller known to be over the limit, from memory and without counting; null for any other. For what
   * is counted only once its work is done.
   */
  refusal(key: string): ConsumedLimit | null;
  /** Gives back what an allowed call consumed, where it turned out not to count. */
  giveBack(key: string, points?: number): Promise<void>;
  /** Deletes what was consumed, after a success for example. */
  reset(key: string): Promise<void>;
};

/** Other processes are notified only where the limit was exceeded: only then they refuse from memory. */
const RESET = `with gone as (delete from rate_limit where key = $1 returning points)
  select pg_notify($3, 'rate_limit') from gone where points > $2`;

/**
 * Counts calls per key over all processes. A caller over the limit is refused from memory, without asking the database,
 * until any process resets a limit; while the database is away each process counts for itself. Keys are stored hashed,
 * because they are addresses of people. IPv6 addresses are counted by their networks, wider ones with more points
 * (`countedNetworks`); a network over its limit does not use up those around it.
 */
export function makeLimiter(pool: Pool, { name, points, seconds }: Limit): Limiter {
  const counters = new Map<number, Counter>();
  function counterOf(factor: number): Counter {
    const known = counters.get(factor);
    if (known) return known;
    const made = makeCounter(pool, { name, points: points * factor, seconds });
    counters.set(factor, made);
    return made;
  }
  const hashed = (key: string) =>
    createHash('sha256').update(`${name}\0${key}`).digest('base64url');

  let read = readMark(pool, 'rate_limit');
  const deleteRefused = () => {
    read = readMark(pool, 'rate_limit');
    for (const counter of counters.values()) counter.limiter.deleteInMemoryBlockedAll();
  };

  const forgetWhereReset = () => {
    if (!isFresh(pool, 'rate_limit', read)) deleteRefused();
  };

  return {
    refusal(key) {
      forgetWhereReset();
      for (const network of countedNetworks(key)) {
        const { limiter } = counterOf(network.factor);
        const left = limiter.getInMemoryBlockMsBeforeExpire(limiter.getKey(hashed(network.key)));
        if (left > 0) return refusedFor(left);
      }
      return null;
    },
    async consume(key, amount = 1) {
      // The limiter would take the refusal for a database that is away, and count in memory.
      assertOutsideTransaction();
      forgetWhereReset();
      let tightest: ConsumedLimit | null = null;
      for (const network of countedNetworks(key)) {
        const counted = await count(counterOf(network.factor), hashed(network.key), amount);
        if (!counted.allowed) return refusedFor(counted.msBeforeNext);
        const { remainingPoints: remaining, msBeforeNext } = counted;
        if (tightest && tightest.remaining <= remaining) continue;
        const resetSeconds = Math.max(0, Math.ceil(msBeforeNext / 1000));
        tightest = { allowed: true, retryAfterSeconds: 0, remaining, resetSeconds };
      }
      return tightest ?? { allowed: true, retryAfterSeconds: 0, remaining: 0, resetSeconds: 0 };
    },
    async giveBack(key, amount = 1) {
      assertOutsideTransaction();
      for (const { key: network, factor } of countedNetworks(key)) {
        await counterOf(factor).limiter.reward(hashed(network), amount);
      }
    },
    async reset(key) {
      assertOutsideTransaction();
      for (const network of countedNetworks(key)) {
        const { limiter, limit } = counterOf(network.factor);
        const values = [limiter.getKey(hashed(network.key)), limit, CHANNEL];
        await pool
          .query({ name: 'rate_limit_reset', text: RESET, values })
          // Without a database this process counts and resets in its own memory.
          .catch(() => limiter.delete(hashed(network.key)));
      }
      deleteRefused();
    },
  };
}

function refusedFor(milliseconds: number): ConsumedLimit {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return { allowed: false, retryAfterSeconds: seconds, remaining: 0, resetSeconds: seconds };
}

/** `limit`: its points. */
type Counter = { limiter: RateLimiterPostgres; limit: number };

const makeCounter = (pool: Pool, { name, points, seconds }: Limit): Counter => ({
  limit: points,
  limiter: new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
  }),
});

async function count({ limiter }: Counter, key: string, amount: number) {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key, amount);
    return { allowed: true, remainingPoints, msBeforeNext };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const { remainingPoints, msBeforeNext } = refusal;
    return { allowed: false, remainingPoints, msBeforeNext };
  }
}

/** Refuses a call with 429 once its sender's address has made too many of them. */
export function limitCalls(platform: Platform, limit: Limit): MiddlewareHandler {
  const limiter = makeLimiter(platform.pool, limit);
  return async (c, next) => {
    const { allowed, retryAfterSeconds } = await limiter.consume(clientAddress(c, platform));
    if (allowed) return next();
    return problem({
      code: 'too_many_calls',
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  };
}
