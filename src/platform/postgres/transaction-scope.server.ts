import { AsyncLocalStorage } from 'node:async_hooks';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** Whether the code that runs now was called by a transaction that is still open. */
const scope = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * A transaction's code asked for a second connection, or for something slow: a file, an e-mail, a picture. When every
 * connection is held by a transaction that waits for another one, none of them ends; and while a transaction waits for
 * a storage, its locks and its connection are blocked. Pass the transaction on, or do it before it begins.
 */
export class AskedInsideTransaction extends Error {
  override name = 'AskedInsideTransaction';
  constructor() {
    super('Inside a transaction: use its own connection, and do what is slow before it begins');
  }
}

/** Runs a transaction's code; until it ends, whatever it calls must neither ask the pool nor do what is slow. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mine = { isOpen: true };
  try {
    return await scope.run(mine, work);
  } finally {
    mine.isOpen = false;
  }
}

/**
 * For whatever is slow, asks the pool, or may have to: caches call it also when they need not ask this time, so that a wrong
 * call fails always and not once a second.
 * @throws AskedInsideTransaction
 */
export function assertOutsideTransaction(): void {
  if (scope.getStore()?.isOpen) throw new AskedInsideTransaction();
}

const connections = new WeakMap<object, NodePgDatabase>();

/** Notes which connection a transaction runs on: what is built for the connection serves all its transactions. */
export function setTransactionConnection(transaction: object, connection: NodePgDatabase): void {
  connections.set(transaction, connection);
}

/** The connection of a transaction; undefined for what is none. */
export const transactionConnection = (transaction: object): NodePgDatabase | undefined =>
  connections.get(transaction);
