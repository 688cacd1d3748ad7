import type { Outcome } from '~/base/outcome.ts';
import type { Queryable, Transaction } from './database.server.ts';

class Refused<E> extends Error {
  override name = 'Refused';
  readonly outcome: { readonly ok: false; readonly error: E };
  constructor(outcome: { readonly ok: false; readonly error: E }) {
    super('refused');
    this.outcome = outcome;
  }
}

/** Does the work in a transaction that a refusal undoes, as an exception does. */
export async function rollBackIfRefused<T, E>(
  db: Queryable,
  work: (tx: Transaction) => Promise<Outcome<T, E>>,
): Promise<Outcome<T, E>> {
  let refusal: Refused<E> | undefined;
  try {
    return await db.transaction(async (tx) => {
      const outcome = await work(tx);
      if (outcome.ok) return outcome;
      refusal = new Refused(outcome);
      throw refusal;
    });
  } catch (error) {
    if (refusal && error === refusal) return refusal.outcome;
    throw error;
  }
}
