import { databaseErrorOf } from '../log/database-error.server.ts';

/** SQLSTATE: a transaction of repeatable reads met a change of another. */
const SERIALIZATION_FAILURE = '40001';
const TRIES = 3;

/**
 * Runs a transaction of repeatable reads again where it met a change of another; it changed nothing then.
 * @throws The conflict after three tries, and every other error at once.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ;) {
    try {
      return await work();
    } catch (error) {
      left -= 1;
      if (left === 0 || databaseErrorOf(error)?.code !== SERIALIZATION_FAILURE) throw error;
    }
  }
}
