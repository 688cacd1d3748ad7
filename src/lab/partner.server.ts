import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once as happens } from 'node:events';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Bindings } from '~/platform/http/address.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import { documents, storedMoment } from './documents.server.ts';
import {
  faultCalls,
  faultKinds,
  type DeliveryManner,
  type FaultCall,
  type FaultKind,
} from './scenarios.ts';

/** What the simulated PayPal and the simulated Stripe have in common. */
export type SimulatedPartner = {
  name: 'paypal' | 'stripe';
  db: Database;
  now: () => Date;
  /** The address to which the account's webhooks are sent. */
  webhookUrl: string;
  /** The headers of a webhook with this body; a wrong signature is by another key. */
  signedHeaders: (body: string, signature: Signature) => Record<string, string>;
  /** The body of a response to a call that failed. */
  failure: (status: 429 | 500) => object;
  /** Called when a call is done and held. */
  onHeld?: (call: FaultCall) => void;
};

type Signature = 'right' | 'wrong';
export type PartnerEnv = { Bindings: Bindings };
export type PartnerResponse = { status: 200 | 201 | 400 | 404 | 422; body: object };

const event = z.object({
  id: z.string(),
  /** The id of the order or session. */
  about: z.string(),
  type: z.string(),
  /** The exact text that is signed. */
  body: z.string(),
  createdAt: storedMoment,
});
export type StoredEvent = z.output<typeof event>;

const answer = z.object({
  key: z.string(),
  asked: z.string(),
  status: z.literal([200, 201, 400, 404, 422]),
  body: z.looseObject({}),
  createdAt: storedMoment,
});

const fault = z.object({
  id: z.string(),
  call: z.enum(faultCalls),
  kind: z.enum(faultKinds),
  createdAt: storedMoment,
});

const storesOf = (partner: SimulatedPartner['name']) => ({
  events: documents({ partner, kind: 'event', shape: event, id: ({ id }) => id }),
  /** Responses, for repetitions. */
  answers: documents({ partner, kind: 'answer', shape: answer, id: ({ key }) => key }),
  /** Planned for the next matching call, once each. */
  faults: documents({ partner, kind: 'fault', shape: fault, id: ({ id }) => id }),
});
const stores = { paypal: storesOf('paypal'), stripe: storesOf('stripe') };

/** Makes the next call of a kind fail, once. */
export async function playScenario(
  { name, db }: SimulatedPartner,
  call: FaultCall,
  kind: FaultKind,
): Promise<void> {
  await stores[name].faults.insert(db, { id: randomUUID(), call, kind, createdAt: new Date() });
}

/** Runs a call with the fault planned for it, if there is one. */
export async function withFault(
  c: Context<PartnerEnv>,
  partner: SimulatedPartner,
  call: FaultCall,
  work: (fault: FaultKind | null) => Promise<Response>,
): Promise<Response> {
  const planned = await stores[partner.name].faults.takeOldest(partner.db, { call });
  const kind = planned?.kind ?? null;
  if (kind === 'limited') return Response.json(partner.failure(429), { status: 429 });
  const isBefore = kind === 'error_before' || kind === 'reset_before';
  const response = isBefore ? null : await work(kind);
  if (kind === 'held') {
    partner.onHeld?.(call);
    await happens(c.env.incoming.socket, 'close');
  }
  if (kind?.startsWith('reset')) c.env.incoming.socket.destroy();
  if (kind?.startsWith('reset') || kind?.startsWith('error') || !response) {
    return Response.json(partner.failure(500), { status: 500 });
  }
  return response;
}

/**
 * Runs a change once for each key; a repetition gets the first response, with what was asked then. Refusals are not
 * kept.
 */
export async function runKeyedChange(
  partner: SimulatedPartner,
  { key, asked = '' }: { key: string | undefined; asked?: string },
  work: (tx: Transaction) => Promise<PartnerResponse>,
): Promise<PartnerResponse & { asked: string; isRepeated: boolean }> {
  const { answers } = stores[partner.name];
  return partner.db.transaction(async (tx) => {
    if (!key) return { ...(await work(tx)), asked, isRepeated: false };
    const lock = `${partner.name}:${key}`;
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
    const earlier = await answers.get(tx, key);
    if (earlier) return { ...earlier, isRepeated: true };
    const { status, body } = await work(tx);
    if (status < 300) {
      const createdAt = partner.now();
      await answers.insert(tx, { key, asked, status, body: { ...body }, createdAt });
    }
    return { status, body, asked, isRepeated: false };
  });
}

const LATE_MS = 5 * 60_000;
/** Delay of a payment's first webhook, in milliseconds; later ones have less. */
const REORDER_MS = 12_000;

/**
 * Queues a webhook about an order or session in the transaction, sent in the manner chosen for it. `write` gets three
 * digits for its id, which keep events in order also where the clock stands still.
 */
export async function queueWebhook(
  tx: Transaction,
  partner: SimulatedPartner,
  about: { id: string; deliveries: DeliveryManner },
  type: string,
  write: (position: string, at: Date) => { id: string },
): Promise<StoredEvent> {
  const { events } = stores[partner.name];
  const createdAt = partner.now();
  const before = (await events.list(tx, { about: about.id })).length;
  const body = write(String(before).padStart(3, '0'), createdAt);
  const { id } = body;
  const stored = { id, about: about.id, type, body: JSON.stringify(body), createdAt };
  await events.insert(tx, stored);
  const signature = about.deliveries === 'wrong_signature' ? 'wrong' : 'right';
  for (const [index, runAt] of departures(about.deliveries, before).entries()) {
    const options = { key: `${id}:${index}`, ...(runAt && { runAt }) };
    await enqueue(tx, `lab.${partner.name}_notify`, { eventId: id, signature }, options);
  }
  return stored;
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

/** The webhooks about an order or session, oldest first. */
export const webhooksAbout = (
  { name, db }: SimulatedPartner,
  about: string,
): Promise<StoredEvent[]> => stores[name].events.list(db, { about });

/** One delivery as sent. */
export const transmission = (
  partner: SimulatedPartner,
  { body }: StoredEvent,
  { signature = 'right' }: { signature?: Signature } = {},
): { headers: Record<string, string>; body: string } => ({
  body,
  headers: { 'content-type': 'application/json', ...partner.signedHeaders(body, signature) },
});

/** Sends a webhook; returns the merchant's status. */
export async function deliver(
  partner: SimulatedPartner,
  eventId: string,
  options: { signature?: Signature } = {},
): Promise<number> {
  const stored = await stores[partner.name].events.get(partner.db, eventId);
  if (!stored) throw new Error(`The simulated ${partner.name} has no event ${eventId}`);
  const response = await fetch(partner.webhookUrl, {
    method: 'POST',
    ...transmission(partner, stored, options),
    signal: AbortSignal.timeout(10_000),
  });
  return response.status;
}

const delivery = z.object({ eventId: z.string(), signature: z.enum(['right', 'wrong']) });

/**
 * Delivers an event to the webhook. Throws at any status but 2xx, so that its job is tried again; not where a wrong
 * signature was chosen, which the webhook has to refuse.
 */
export async function deliverOrThrow(partner: SimulatedPartner, payload: unknown): Promise<void> {
  const { eventId, signature } = delivery.parse(payload);
  const status = await deliver(partner, eventId, { signature });
  if (signature === 'right' && (status < 200 || status > 299)) {
    throw new Error(`Webhook answered ${status}`);
  }
}

let untrusted: string | undefined;

/** A key that the merchant does not know, for wrong signatures. */
export function untrustedKey(): string {
  untrusted ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  return untrusted;
}
