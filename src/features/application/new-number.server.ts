import { randomBytes } from 'node:crypto';
import { type Transaction } from '~/platform/database.server.ts';
import { isUniqueViolation } from '~/platform/database-error.server.ts';
import { makeNumber, prefixes, type NumberKind } from './number.ts';

/** Of 60 random bits the same come twice about never; a hundred times in a row means a broken source. */
const TRIES = 100;

export type RandomSource = (size: number) => Uint8Array;

/**
 * Stores an application under a number that nobody has; the savepoint keeps a taken one from ending the transaction.
 * `random`: a cryptographic source; tests bring their own.
 */
export async function withNewNumber(
  tx: Transaction,
  kind: NumberKind,
  store: (savepoint: Transaction, number: string) => Promise<unknown>,
  random: RandomSource = randomBytes,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const number = makeNumber(prefixes[kind], random(12));
    try {
      await tx.transaction((savepoint) => store(savepoint, number));
      return number;
    } catch (error) {
      const isTaken = isUniqueViolation(error, 'application_number_unique');
      if (!isTaken || tries === TRIES) throw error;
    }
  }
}
