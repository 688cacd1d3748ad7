import { randomBytes, randomUUID } from 'node:crypto';
import {
  captureTransaction,
  decideTransaction,
  type Gateway,
  type GatewayTransaction,
  setRefundState,
  transactionByOrder,
  type GatewayNotice,
  type GatewayFault,
} from './simulated-gateway.server.ts';
import { cardBehaviour, isExpired, type CardBehaviour } from './test-cards.ts';
import { parseMoney, toDecimal, usd } from '~/base/money.ts';
import { signFields } from '~/features/payment/providers/signed-fields.server.ts';
import { untrustedKey } from '../partner.server.ts';

/**
 * The signed message about a transaction, base64 JSON as in a browser's query or a notification. Messages about a
 * decided transaction always have the same id. `fault`: what to make wrong.
 */
export function signStatement(
  gateway: Gateway,
  transaction: GatewayTransaction,
  fault: GatewayFault | null = null,
): string {
  const fields: Record<string, string> = {
    eventId: `${transaction.id}-${transaction.status}`,
    status: transaction.status,
    transactionId: transaction.id,
    ref: transaction.orderRef,
    orderId: transaction.orderRef,
    amount: transaction.amount,
    currency: transaction.currency,
  };
  if (transaction.captureId) fields.captureId = transaction.captureId;
  const refunded = refundedMinor(transaction);
  if (refunded > 0) fields.refundedAmount = toDecimal(usd(refunded));
  if (transaction.cardLast4) fields.cardLast4 = transaction.cardLast4;
  if (transaction.reason) fields.reason = transaction.reason;
  if (transaction.decidedAt) fields.timestamp = transaction.decidedAt.toISOString();
  return encode(gateway, fields, fault);
}

/** The signed message about one refund. */
function refundStatementOf(
  gateway: Gateway,
  transaction: GatewayTransaction,
  refundRef: string,
  fault: GatewayFault | null = null,
): string {
  const status = refundState(transaction, refundRef) ?? 'failed';
  const fields: Record<string, string> = {
    type: 'refund',
    eventId: `RF-${refundRef}-${status}`,
    status,
    refundId: `RF-${refundRef}`,
    refundRef,
    transactionId: transaction.id,
    orderId: transaction.orderRef,
    captureId: transaction.captureId ?? '',
    currency: transaction.currency,
  };
  const minor = transaction.refunds[refundRef];
  // No amount is stored for a failed refund.
  if (minor !== undefined) fields.amount = toDecimal(usd(minor));
  return encode(gateway, fields, fault);
}

/** The state of a refund; null for an unknown one. */
export function refundState(
  { refunds, refundStates }: GatewayTransaction,
  refundRef: string,
): 'pending' | 'completed' | 'failed' | null {
  const kept = Object.hasOwn(refundStates, refundRef) ? refundStates[refundRef] : null;
  return kept ?? (Object.hasOwn(refunds, refundRef) ? 'completed' : null);
}

/** The sum of completed refunds, in cents. */
function refundedMinor(transaction: GatewayTransaction): number {
  return Object.entries(transaction.refunds)
    .filter(([refundRef]) => refundState(transaction, refundRef) === 'completed')
    .reduce((sum, [, minor]) => sum + minor, 0);
}

function encode(gateway: Gateway, right: Record<string, string>, fault: GatewayFault | null) {
  const fields = fault === 'wrong_amount' ? wrongAmount(right) : right;
  const privateKey = fault === 'wrong_signature' ? untrustedKey() : gateway.privateKey;
  const signed = fault === 'unsigned' ? fields : signFields(fields, privateKey, gateway.digest);
  return Buffer.from(JSON.stringify(signed)).toString('base64');
}

/** One cent less, with an id of its own, so that the true message may still follow. */
function wrongAmount(fields: Record<string, string>): Record<string, string> {
  const minor = parseMoney(fields.amount ?? '')?.minor ?? 1;
  return { ...fields, eventId: `${fields.eventId}-wrong`, amount: toDecimal(usd(minor - 1)) };
}

/**
 * Notifies the merchant's server.
 * @throws Error when it does not answer 2xx, so that the job is retried.
 */
export async function notifyMerchant(
  gateway: Gateway,
  { orderRef, refundRef }: GatewayNotice,
): Promise<void> {
  const transaction = await transactionByOrder(gateway.db, orderRef);
  const { notificationUrl } = transaction?.fields ?? {};
  if (!transaction || !notificationUrl) return;
  const fault = gateway.faults.take('notification', orderRef);
  const payload = refundRef
    ? refundStatementOf(gateway, transaction, refundRef, fault)
    : signStatement(gateway, transaction, fault);
  const notify = () => deliver(notificationUrl, payload);
  if (fault === 'never') return;
  if (fault === 'late') return gateway.faults.hold(notify);
  if (fault === 'reordered') return gateway.faults.hold(notify, orderRef);
  await notify();
  if (fault === 'twice') await notify();
  await gateway.faults.release(orderRef);
}

async function deliver(url: string, payload: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`Notification answered ${response.status}`);
}

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
  const known = cardBehaviour(card.cardNumber);
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
export async function captureDeclined(gateway: Gateway, orderRef: string): Promise<void> {
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
    url.searchParams.set('payload', signStatement(gateway, transaction, fault));
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
