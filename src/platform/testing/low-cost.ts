import type { HashCost } from '~/platform/crypto/crypto.server.ts';

/**
 * The least that argon2id takes, for passwords of tests that are not about hashing: it and every sign-in, which hashes at
 * the cost of what is stored, take no time.
 */
export const LOW_COST: HashCost = { memory: 8, passes: 1, parallelism: 1 };
