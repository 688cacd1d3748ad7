import { randomBytes, randomUUID } from 'node:crypto';
import {
  captureTransaction,
  decideTransaction,
  type Gateway,
  type GatewayTransaction,
  setRefundState,
  transactionByOrder,
} from './simulated-gateway.server.ts';
import { statementOf } from './gateway-statement.server.ts';
import { behaviourOf, isExpired, type CardBehaviour } from './test-cards.ts';

export type CardAnswer =
  | { kind: 'fields_missing' | 'unknown_card' | 'unknown_order' }
  | { kind: 'challenge' }
  | { kind: 'decided'; transaction: GatewayTransaction };

/** A payer pressed Pay. Only the last four digits are stored. */
export async function payByCard(
  gateway: Gateway,
  orderRef: string,
  card: { cardHolder: string; cardNumber: string; expiryDate: string; cvv: string },
  { challengePassed = false } = {},
): Promise<CardAnswer> {
  if (Object.values(card).some((value) => value.trim() === '')) return { kind: 'fields_missing' };
  const known = behaviourOf(card.cardNumber);
  if (!known) return { kind: 'unknown_card' };
  // An expired card is declined, whatever its test number stands for.
  const behaviour: CardBehaviour = isExpired(card.expiryDate, gateway.now())
    ? { kind: 'declined', reason: 'expired_card' }
    : known;
  if (behaviour.kind === 'challenge' && !challengePassed) return { kind: 'challenge' };
  const declined = behaviour.kind === 'declined' ? behaviour.reason : null;
  return decide(gateway, orderRef, {
    status: declined ? 'declined' : 'completed',
    reason: declined,
    captureId: declined ? null : newCaptureId(),
    cardLast4: card.cardNumber.replace(/\D/g, '').slice(-4),
  });
}

/** A payer pressed Cancel. */
export async function cancelPayment(gateway: Gateway, orderRef: string): Promise<CardAnswer> {
  return decide(gateway, orderRef, { status: 'cancelled', reason: 'cancelled_by_payer' });
}

/** Decides once, with a notification; later calls return the first decision. */
async function decide(
  gateway: Gateway,
  orderRef: string,
  values: Pick<Partial<GatewayTransaction>, 'status' | 'reason' | 'captureId' | 'cardLast4'>,
): Promise<CardAnswer> {
  const now = gateway.now();
  const decided = await gateway.db.transaction(async (tx) => {
    const row = await decideTransaction(tx, orderRef, { ...values, decidedAt: now });
    if (row) await gateway.announce(tx, { orderRef });
    return row;
  });
  const transaction = decided ?? (await transactionByOrder(gateway.db, orderRef));
  return transaction ? { kind: 'decided', transaction } : { kind: 'unknown_order' };
}

/** Captures although the payment had been declined or cancelled, as acquirers sometimes do. */
export async function captureAfterAll(gateway: Gateway, orderRef: string): Promise<void> {
  await gateway.db.transaction(async (tx) => {
    const values = { captureId: newCaptureId(), decidedAt: gateway.now() };
    if (await captureTransaction(tx, orderRef, values)) await gateway.announce(tx, { orderRef });
  });
}

/** Decides a pending refund. */
export async function decideRefund(
  gateway: Gateway,
  refund: { orderRef: string; refundRef: string },
  state: 'completed' | 'failed',
): Promise<void> {
  await gateway.db.transaction(async (tx) => {
    if (await setRefundState(tx, refund, state)) await gateway.announce(tx, refund);
  });
}

/** Where the payer goes after a decision: the merchant's address with the encoded result. */
export function returnAddress(gateway: Gateway, transaction: GatewayTransaction): string {
  const { callbackUrl = '', cancelUrl = '' } = transaction.fields;
  const url = new URL(transaction.status === 'cancelled' ? cancelUrl : callbackUrl);
  const fault = gateway.faults.take('return', transaction.orderRef);
  if (fault !== 'never') {
    url.searchParams.set('payload', statementOf(gateway, transaction, fault));
  }
  return url.href;
}

const newCaptureId = () => `CAP-${randomBytes(9).toString('hex').toUpperCase()}`;

export function newTransactionId(): string {
  return randomUUID()
    .toUpperCase()
    .replaceAll('-', '')
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, '$1-');
}
