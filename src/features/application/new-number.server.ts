import { randomBytes } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { type Queryable } from '~/platform/postgres/database.server.ts';
import { makeNumber, prefixes, type NumberKind } from './number.ts';
import { isNumberTaken, numberIsFree } from './store.server.ts';

/** Of 60 random bits the same come twice about never; a hundred times in a row means a broken source. */
const TRIES = 100;

export type RandomSource = (size: number) => Uint8Array;

/**
 * Stores an application under a number that nobody has, by one statement: `store` is given a number, and the condition
 * that it is free, which its statement must have; it answers null where the statement has stored nothing. So does this,
 * where something else stood against it. Two that draw one number at the same moment fail together on its being unique.
 * `random`: a cryptographic source; tests bring their own.
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
