import { randomBytes, randomUUID } from 'node:crypto';
import { toDecimal, usd } from '~/base/money.ts';
import type { Database } from '~/platform/database.server.ts';
import { enqueue } from '~/platform/jobs.server.ts';
import { signFields, type Digest } from '../providers/signed-fields.server.ts';
import {
  decideTransaction,
  transactionByOrder,
  type GatewayTransaction,
} from './gateway-store.server.ts';
import { behaviourOf } from './test-cards.ts';

/** What the simulated gateway runs on. It knows its own keys and the merchant's public one, nothing of Lale. */
export type Gateway = {
  db: Database;
  now: () => Date;
  privateKey: string;
  merchantPublicKey: string;
  merchantId: string;
  /** Where its checkout page is, as a browser reaches it. */
  checkoutUrl: string;
  digest: Digest;
};

export type CardAnswer =
  | { kind: 'fields_missing' | 'unknown_card' | 'unknown_order' }
  | { kind: 'challenge' }
  | { kind: 'decided'; transaction: GatewayTransaction };

/** A payer pressed Pay. Only the last four digits stay. */
export async function payByCard(
  gateway: Gateway,
  orderRef: string,
  card: { cardHolder: string; cardNumber: string; expiryDate: string; cvv: string },
  { challengePassed = false } = {},
): Promise<CardAnswer> {
  if (Object.values(card).some((value) => value.trim() === '')) return { kind: 'fields_missing' };
  const behaviour = behaviourOf(card.cardNumber);
  if (!behaviour) return { kind: 'unknown_card' };
  if (behaviour.kind === 'challenge' && !challengePassed) return { kind: 'challenge' };
  const declined = behaviour.kind === 'declined' ? behaviour.reason : null;
  return decide(gateway, orderRef, {
    status: declined ? 'declined' : 'completed',
    reason: declined,
    captureId: declined ? null : `CAP-${randomBytes(9).toString('hex').toUpperCase()}`,
    cardLast4: card.cardNumber.replace(/\D/g, '').slice(-4),
  });
}

/** A payer pressed Cancel. */
export async function cancelPayment(gateway: Gateway, orderRef: string): Promise<CardAnswer> {
  return decide(gateway, orderRef, { status: 'cancelled', reason: 'cancelled_by_payer' });
}

/** Decides once; deciding again answers what was decided first. The notification leaves with the decision. */
async function decide(
  gateway: Gateway,
  orderRef: string,
  values: Pick<Partial<GatewayTransaction>, 'status' | 'reason' | 'captureId' | 'cardLast4'>,
): Promise<CardAnswer> {
  const now = gateway.now();
  const decided = await gateway.db.transaction(async (tx) => {
    const row = await decideTransaction(tx, orderRef, { ...values, decidedAt: now });
    if (row) await enqueue(tx, 'lab.gateway_notify', { orderRef });
    return row;
  });
  const transaction = decided ?? (await transactionByOrder(gateway.db, orderRef));
  return transaction ? { kind: 'decided', transaction } : { kind: 'unknown_order' };
}

/** The signed statement of a transaction, base64 JSON as a browser or a notification carries it. */
export function statementOf(gateway: Gateway, transaction: GatewayTransaction): string {
  const fields: Record<string, string> = {
    // A decided transaction says the same thing under the same id however often it says it.
    eventId: `${transaction.id}-${transaction.status}`,
    status: transaction.status,
    transactionId: transaction.id,
    ref: transaction.orderRef,
    orderId: transaction.orderRef,
    amount: transaction.amount,
    currency: transaction.currency,
  };
  if (transaction.captureId) fields.captureId = transaction.captureId;
  const refunded = Object.values(transaction.refunds).reduce((sum, minor) => sum + minor, 0);
  if (refunded > 0) fields.refundedAmount = toDecimal(usd(refunded));
  if (transaction.cardLast4) fields.cardLast4 = transaction.cardLast4;
  if (transaction.reason) fields.reason = transaction.reason;
  if (transaction.decidedAt) fields.timestamp = transaction.decidedAt.toISOString();
  const signed = signFields(fields, gateway.privateKey, gateway.digest);
  return Buffer.from(JSON.stringify(signed)).toString('base64');
}

/** Where the payer goes after a decision: the merchant's address with the encoded result. */
export function returnAddress(gateway: Gateway, transaction: GatewayTransaction): string {
  const { callbackUrl = '', cancelUrl = '' } = transaction.fields;
  const url = new URL(transaction.status === 'cancelled' ? cancelUrl : callbackUrl);
  url.searchParams.set('payload', statementOf(gateway, transaction));
  return url.href;
}

/** Tells the merchant's server. Throws when it did not answer 2xx, so that the job tries again later. */
export async function notifyMerchant(gateway: Gateway, orderRef: string): Promise<void> {
  const transaction = await transactionByOrder(gateway.db, orderRef);
  const { notificationUrl } = transaction?.fields ?? {};
  if (!transaction || !notificationUrl) return;
  const response = await fetch(notificationUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: statementOf(gateway, transaction) }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`Notification answered ${response.status}`);
}

export function newTransactionId(): string {
  return randomUUID()
    .toUpperCase()
    .replaceAll('-', '')
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, '$1-');
}
