import { randomBytes } from 'node:crypto';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { STRIPE_VERSION } from '~/features/payment/providers/stripe-client.server.ts';
import { stripeSignature } from '~/features/payment/providers/stripe-signature.server.ts';
import type { DeliveryManner } from './scenarios.ts';
import {
  eventById,
  eventsOf,
  insertEvent,
  type StoredEvent,
  type StoredSession,
} from './stripe-store.server.ts';
import type { SimulatedStripe } from './simulated-stripe.server.ts';

const LATE_MS = 5 * 60_000;
/** Delay of a session's first webhook, in milliseconds; later ones have less. */
const REORDER_MS = 12_000;
const JOB = 'lab.stripe_notify';

/** Queues a webhook about a session in the transaction, sent in the manner chosen for the session. */
export async function sendWebhook(
  tx: Transaction,
  stripe: SimulatedStripe,
  session: Pick<StoredSession, 'id' | 'deliveries'>,
  { type, object }: { type: string; object: object },
): Promise<StoredEvent> {
  const now = stripe.now();
  const before = (await eventsOf(tx, session.id)).length;
  // In order of the events, also where the clock stands still.
  const id = `evt_${String(before).padStart(3, '0')}${randomBytes(10).toString('hex')}`;
  const body = JSON.stringify({
    id,
    object: 'event',
    api_version: STRIPE_VERSION,
    created: Math.floor(now.getTime() / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });
  const event = { id, sessionId: session.id, type, body, createdAt: now };
  await insertEvent(tx, event);
  for (const [index, runAt] of departures(session.deliveries, before).entries()) {
    const signature = session.deliveries === 'wrong_signature' ? 'wrong' : 'right';
    const payload = { eventId: id, signature };
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

/** One delivery as sent; `signature: 'wrong'` uses another secret. */
export function transmission(
  stripe: SimulatedStripe,
  event: StoredEvent,
  { signature = 'right' }: { signature?: 'right' | 'wrong' } = {},
): { headers: Record<string, string>; body: string } {
  const seconds = Math.floor(stripe.now().getTime() / 1000);
  const secret = signature === 'right' ? stripe.webhookSecret : 'whsec_somebody_else';
  const value = stripeSignature(secret, seconds, Buffer.from(event.body));
  return {
    body: event.body,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': `t=${seconds},v1=${value},v0=${'0'.repeat(64)}`,
    },
  };
}

/** Sends a webhook; returns the merchant's status. */
export async function deliver(
  stripe: SimulatedStripe,
  eventId: string,
  options: { signature?: 'right' | 'wrong' } = {},
): Promise<number> {
  const event = await eventById(stripe.db, eventId);
  if (!event) throw new Error(`The simulated Stripe has no event ${eventId}`);
  const response = await fetch(stripe.webhookUrl, {
    method: 'POST',
    ...transmission(stripe, event, options),
    signal: AbortSignal.timeout(10_000),
  });
  return response.status;
}

/** The job of a delivery: any status but 2xx is retried, unless the signature was wrong on purpose. */
export async function deliverOrThrow(
  stripe: SimulatedStripe,
  delivery: { eventId: string; signature: 'right' | 'wrong' },
): Promise<void> {
  const status = await deliver(stripe, delivery.eventId, delivery);
  if (delivery.signature === 'right' && (status < 200 || status > 299)) {
    throw new Error(`Webhook answered ${status}`);
  }
}
