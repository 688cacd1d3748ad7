import { randomBytes } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { type Queryable } from '~/platform/postgres/database.server.ts';
import { makeNumber, prefixes, type NumberKind } from './number.ts';
import { isNumberTaken, numberIsFree } from './store.server.ts';

/** Two equal draws of 60 random bits practically never happen; a hundred in a row mean a broken random source. */
const TRIES = 100;

export type RandomSource = (size: number) => Uint8Array;

/**
 * Stores an application under a number that is not taken. `store` does so in one statement that must contain the
 * condition it is given (the number is free), and returns null where nothing was stored. Another number is tried then,
 * unless this one is free, so that another condition of `store` failed: the result is null. Two processes that draw one
 * number at the same moment fail on its unique constraint. `random`: a cryptographic source; tests pass their own.
 */
export async function withNewNumber<T>(
  db: Queryable,
  kind: NumberKind,
  store: (number: string, isFree: SQL) => Promise<T | null>,
  random: RandomSource = randomBytes,
): Promise<T | null> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const number = makeNumber(prefixes[kind], random(12));
    const stored = await store(number, numberIsFree(number));
    if (stored !== null) return stored;
    if (!(await isNumberTaken(db, number))) return null;
  }
  throw new Error('Every number that was drawn is taken');
}
