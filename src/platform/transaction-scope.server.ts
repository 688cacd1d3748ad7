import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether the code that runs now was called by a transaction that is still open. */
const scope = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * A transaction's code asked for a second connection. When every connection is held by a transaction that waits for
 * another one, none of them ends: so nobody may ask. Pass the transaction on, or read before it begins.
 */
export class AskedInsideTransaction extends Error {
  override name = 'AskedInsideTransaction';
  constructor() {
    super('The pool was asked inside a transaction: use the transaction, or read before it begins');
  }
}

/** Runs a transaction's code; until it ends, whatever it calls must not ask the pool. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mine = { isOpen: true };
  try {
    return await scope.run(mine, work);
  } finally {
    mine.isOpen = false;
  }
}

/**
 * For whatever asks the pool, or may have to: caches call it also when they need not ask this time, so that a wrong
 * call fails always and not once a second.
 * @throws AskedInsideTransaction
 */
export function assertOutsideTransaction(): void {
  if (scope.getStore()?.isOpen) throw new AskedInsideTransaction();
}
