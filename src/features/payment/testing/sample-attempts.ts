import { randomUUID } from 'node:crypto';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { changeAttempt, insertAttempt } from '../settlement/store.server.ts';

type Paid = { number: string; amountMinor: number };
type More = Partial<Parameters<typeof insertAttempt>[1]>;

/** Stores the payer's attempt to pay an order by card, as it is at the provider's page; returns its id. */
export async function storeAttempt(
  tx: Transaction,
  { number, amountMinor }: Paid,
  at: Date,
  { id = randomUUID(), ...more }: More = {},
): Promise<string> {
  await insertAttempt(tx, {
    id,
    reference: number,
    amountMinor,
    currency: 'USD',
    begunBy: 'payer',
    provider: 'card',
    state: 'redirected',
    createdAt: at,
    changedAt: at,
    ...more,
  });
  return id;
}

/** The same, completed by a capture `C-<id>`; the order is not marked as paid. */
export async function storeCapture(
  tx: Transaction,
  order: Paid,
  at: Date,
  more?: More,
): Promise<string> {
  const id = await storeAttempt(tx, order, at, more);
  const completed = { state: 'completed', captureId: `C-${id}`, completedAt: at } as const;
  await changeAttempt(tx, { id, from: 'redirected' }, completed);
  return id;
}
