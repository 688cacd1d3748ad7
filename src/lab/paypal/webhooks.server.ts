import { createHash, randomUUID, sign } from 'node:crypto';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { signedText } from '~/features/payment/providers/paypal-signature.server.ts';
import type { DeliveryManner } from './scenarios.ts';
import {
  eventById,
  insertEvent,
  type StoredEvent,
  type StoredOrder,
} from './paypal-store.server.ts';
import type { SimulatedPaypal } from './simulated-paypal.server.ts';
import { untrustedKey } from '../gateway/untrusted-key.server.ts';

const LATE_MS = 5 * 60_000;
/** Delay of an order's first webhook, in milliseconds; later ones have less. */
const REORDER_MS = 12_000;
const JOB = 'lab.paypal_notify';

/** Queues a webhook about an order in the transaction, sent in the manner chosen for the order. */
export async function sendWebhook(
  tx: Transaction,
  paypal: SimulatedPaypal,
  order: StoredOrder,
  message: { type: string; resourceType: string; resource: object; before: number },
): Promise<StoredEvent> {
  const now = paypal.now();
  // In order of the events, also where the clock stands still.
  const position = String(message.before).padStart(3, '0');
  const id = `WH-${position}${randomUUID().replaceAll('-', '').toUpperCase().slice(0, 14)}`;
  const body = JSON.stringify({
    id,
    event_version: '1.0',
    create_time: now.toISOString(),
    resource_type: message.resourceType,
    resource_version: '2.0',
    event_type: message.type,
    summary: message.type,
    resource: message.resource,
    links: [],
  });
  const event = { id, orderId: order.id, type: message.type, body, createdAt: now };
  await insertEvent(tx, event);
  for (const [index, runAt] of departures(order.deliveries, message.before).entries()) {
    const payload = {
      eventId: id,
      signature: order.deliveries === 'wrong_signature' ? 'wrong' : 'right',
    };
    await enqueue(tx, JOB, payload, { key: `${id}:${index}`, ...(runAt && { runAt }) });
  }
  return event;
}

/** When a webhook is sent: jobs use the database's clock, not the simulated one. */
function departures(manner: DeliveryManner, before: number): (Date | null)[] {
  const after = (milliseconds: number) => new Date(Date.now() + milliseconds);
  switch (manner) {
    case 'never':
      return [];
    case 'twice':
      return [null, null];
    case 'late':
      return [after(LATE_MS)];
    case 'reordered':
      return [after(Math.max(REORDER_MS - before * 4000, 0))];
    case 'once':
    case 'wrong_signature':
      return [null];
  }
}

/** One delivery as sent; `signature: 'wrong'` uses another key. */
export function transmission(
  paypal: SimulatedPaypal,
  event: StoredEvent,
  { signature = 'right' }: { signature?: 'right' | 'wrong' } = {},
): { headers: Record<string, string>; body: string } {
  const body = Buffer.from(event.body);
  const transmissionId = randomUUID();
  const transmissionTime = paypal.now().toISOString();
  const text = signedText({ transmissionId, transmissionTime, webhookId: paypal.webhookId, body });
  const key = signature === 'right' ? paypal.privateKey : untrustedKey();
  return {
    body: event.body,
    headers: {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': `${paypal.apiUrl}/v1/notifications/certs/${certificateId(paypal)}`,
      'paypal-transmission-id': transmissionId,
      'paypal-transmission-time': transmissionTime,
      'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(text), key).toString('base64'),
    },
  };
}

/** Sends a webhook; returns the merchant's status. */
export async function deliver(
  paypal: SimulatedPaypal,
  eventId: string,
  options: { signature?: 'right' | 'wrong' } = {},
): Promise<number> {
  const event = await eventById(paypal.db, eventId);
  if (!event) throw new Error(`The simulated PayPal has no event ${eventId}`);
  const response = await fetch(paypal.webhookUrl, {
    method: 'POST',
    ...transmission(paypal, event, options),
    signal: AbortSignal.timeout(10_000),
  });
  return response.status;
}

/** The job of a delivery: any status but 2xx is retried, unless the signature was wrong on purpose. */
export async function deliverOrThrow(
  paypal: SimulatedPaypal,
  delivery: { eventId: string; signature: 'right' | 'wrong' },
): Promise<void> {
  const status = await deliver(paypal, delivery.eventId, delivery);
  if (delivery.signature === 'right' && (status < 200 || status > 299)) {
    throw new Error(`Webhook answered ${status}`);
  }
}

export const certificateId = (paypal: SimulatedPaypal): string =>
  `CERT-${createHash('sha256').update(paypal.privateKey).digest('hex').slice(0, 24)}`;
