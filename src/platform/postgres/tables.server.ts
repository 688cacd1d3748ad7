import { bigint, index, integer, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core';
import { bytes } from './columns.server.ts';
import { personal, personalTable, sealed } from './personal-table.server.ts';

/**
 * Answers already given to a key, so that a repeated request gets the same one. Kept 24 hours. No column says whose it
 * is: an export and an erasure open each.
 */
export const idempotencyKey = personalTable(
  'idempotency_key',
  {
    about: 'traveller',
    purpose: 'to answer a repeated request as the first',
    kept: ['idempotencyKey'],
  },
  {
    /** Hash of scope and key. */
    id: bytes('id').primaryKey(),
    /** Keyed hash of the request that the key was first used for. */
    requestHash: bytes('request_hash').notNull(),
    /** The answer, sealed: it may hold personal data. Null only inside the transaction that makes it. */
    answer: sealed(bytes('answer')),
    expiresAt: personal(timestamp('expires_at', { withTimezone: true }).notNull()),
  },
  (table) => [index('idempotency_key_expires_at').on(table.expiresAt)],
);

/** Counters of rate-limiter-flexible, which writes the rows itself and asks for exactly these columns in this order. */
export const rateLimit = pgTable('rate_limit', {
  /** Limiter name and a hash of who is limited. Class: technical; cleared an hour after expiry. */
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint('expire', { mode: 'number' }),
});
