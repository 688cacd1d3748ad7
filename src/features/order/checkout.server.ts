import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { begin } from '~/features/payment/begin.server.ts';
import type { AttemptToBegin, Handover } from '~/features/payment/provider.ts';
import type { Providers } from '~/features/payment/providers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  countFailedStart,
  forgetFailedStarts,
  orderByNumber,
  orderOfApplication,
  totalOf,
  type Order,
} from './store.server.ts';

/** Payments that failed to start may be tried this often again on one screen (specification, section 4). */
export const MAX_RETRIES = 3;

export type CheckoutError =
  | { code: 'already_paid' | 'closed' | 'no_provider' }
  /** `retries`: how many of the three retries are used. */
  | { code: 'start_failed'; message: string; retries: number };

export type Checkout = { order: Order; attemptId: string; paymentUrl: string };

/** An order by its own number or by one of its applications' numbers. */
export async function findOrder(platform: Platform, reference: string): Promise<Order | null> {
  return (
    (await orderByNumber(platform.db, reference)) ??
    (await orderOfApplication(platform.db, reference))
  );
}

/**
 * Starts paying an order: the amount is the order's, whatever the caller thinks. The answer's `paymentUrl` is where
 * the browser goes next: our redirect page for a provider that wants a form, else the provider itself.
 */
export async function checkout(
  platform: Platform,
  providers: Providers,
  order: Order,
  {
    address,
    billing,
    provider: wanted,
  }: {
    address: string;
    billing?: Partial<AttemptToBegin['customer']>;
    provider?: string | undefined;
  },
): Promise<Outcome<Checkout, CheckoutError>> {
  if (order.paidAt) return refused({ code: 'already_paid' });
  if (order.closedAt) return refused({ code: 'closed' });
  const provider = wanted ? providers.find(({ name }) => name === wanted) : providers[0];
  if (!provider) return refused({ code: 'no_provider' });
  const started = await begin(platform, provider, {
    reference: order.number,
    amount: totalOf(order),
    description: `Lale ${order.number}`,
    language: order.language,
    customer: { ...billing, name: order.customerName, email: order.customerEmail, address },
  });
  if (!started.ok) {
    if (started.error.code === 'already_paid') return refused({ code: 'already_paid' });
    const failures = await countFailedStart(platform.db, order.number);
    return refused({ ...started.error, retries: Math.min(failures - 1, MAX_RETRIES) });
  }
  if (order.failedStarts > 0) await forgetFailedStarts(platform.db, order.number);
  const { attemptId, handover } = started.value;
  return ok({ order, attemptId, paymentUrl: paymentUrl(platform, attemptId, handover) });
}

const HANDOVER_MS = 60 * 60_000;

function paymentUrl(platform: Platform, attemptId: string, handover: Handover): string {
  if (handover.kind === 'link') return handover.url;
  const expires = new Date(platform.now().getTime() + HANDOVER_MS);
  const data = platform.signer.sign({ attemptId }, 'handover', expires);
  return `${platform.config.publicUrl}/gpay-checkout?data=${encodeURIComponent(data)}`;
}
