import type { HashCost } from '../crypto/crypto.server.ts';

/**
 * The least cost that argon2id allows, for tests that are not about hashing passwords. Sign-ins are fast then, too: they
 * hash at the cost of the stored hash.
 */
export const LOW_COST: HashCost = { memory: 8, passes: 1, parallelism: 1 };
