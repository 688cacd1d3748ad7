import { z } from 'zod';

/** Of which object a webhook tells. What it says of it is not believed: the object is asked for. */
export type StripeHint = { about: 'session' | 'charge' | 'refund' | 'dispute'; id: string };

const event = z.object({
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string().min(1).max(200) }) }),
});

/**
 * The events that the service has to be told of, and what each is about. Stripe has two names for news of a refund, by
 * the version of the account.
 */
const subjects: Record<string, StripeHint['about']> = {
  'checkout.session.completed': 'session',
  'checkout.session.expired': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'session',
  'charge.refunded': 'charge',
  'charge.refund.updated': 'refund',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
};

/** What a webhook is about, once its signature is verified; null where it does not concern us. */
export function readHint(body: unknown): StripeHint | null {
  const notification = event.safeParse(body).data;
  const about = notification && subjects[notification.type];
  return about ? { about, id: notification.data.object.id } : null;
}

/** Each a group of which one event is enough; the first is the one to ask for. */
const needed = [
  ['checkout.session.completed'],
  ['checkout.session.expired'],
  ['checkout.session.async_payment_succeeded'],
  ['checkout.session.async_payment_failed'],
  ['charge.refunded', 'refund.created'],
  ['refund.updated', 'charge.refund.updated'],
  ['charge.dispute.created'],
  ['charge.dispute.closed'],
] as const;

/** The events that a webhook does not tell of and should; `*` stands for all. */
export const missingEvents = (enabled: readonly string[]): string[] =>
  enabled.includes('*')
    ? []
    : needed.flatMap((names) => (names.some((name) => enabled.includes(name)) ? [] : [names[0]]));
