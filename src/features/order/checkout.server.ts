import type { Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { begin } from '~/features/payment/settlement/begin.server.ts';
import type { Beginner } from '~/features/payment/beginner.ts';
import {
  noteFailedStart,
  noteStart,
  offeredProviders,
} from '~/features/payment/outage/outage.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { AttemptToBegin } from '~/features/payment/provider.ts';
import type { Providers } from '~/features/payment/providers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { limitStart } from './limits.server.ts';
import { fallbackProvider } from './fallback-provider.ts';
import { retriesOf } from './payment-start.ts';
import {
  countFailedStart,
  resetFailedStarts,
  isDue,
  orderByNumber,
  orderOfApplication,
  totalOf,
  type Order,
} from './store.server.ts';

export type CheckoutError =
  /** changed: the order came to be another one, or another amount, while it was being paid. */
  | { code: 'already_paid' | 'closed' | 'no_provider' | 'changed' }
  | { code: 'too_many_starts'; retryAfterSeconds: number }
  /** `retries`: how many of the first provider's three are used. `other`: how else it can be paid. */
  | { code: 'start_failed'; message: string; retries: number; other: ProviderName | null };

export type Checkout = {
  order: Order;
  attemptId: string;
  /** Where a browser goes next: the provider, or our redirect page for a provider that wants a form. */
  paymentUrl: string;
  /** Path of our redirect page in any case: forms are never redirected to another site. */
  redirectPath: string;
};

/** An order by its own number or by one of its applications' numbers. */
export async function findOrder(platform: Platform, reference: string): Promise<Order | null> {
  return (
    (await orderByNumber(platform.db, reference)) ??
    (await orderOfApplication(platform.db, reference))
  );
}

/**
 * Starts paying an order: the amount is the order's, whatever the caller thinks. At the provider that is named, else
 * at the first that is not down. The payer's name and e-mail go to the provider with the payer's own attempts alone; a guest's attempt
 * carries what the guest said of himself. Twenty times in ten minutes for one order, by whichever page or call.
 */
export async function checkout(
  platform: Platform,
  providers: Providers,
  order: Order,
  {
    by,
    address,
    language = null,
    billing,
    provider: wanted,
  }: {
    by: Beginner;
    address: string;
    /** Of the page that the browser leaves, and comes back to; null where that is not known: the order's then. */
    language?: Language | null;
    billing?: Partial<AttemptToBegin['customer']>;
    provider?: string | undefined;
  },
): Promise<Outcome<Checkout, CheckoutError>> {
  if (order.paidAt) return refused({ code: 'already_paid' });
  if (order.closedAt) return refused({ code: 'closed' });
  const provider = wanted
    ? providers.find(({ name }) => name === wanted)
    : (await offeredProviders(platform, providers))[0];
  if (!provider) return refused({ code: 'no_provider' });
  const { allowed, retryAfterSeconds } = await limitStart(platform, order, by);
  if (!allowed) return refused({ code: 'too_many_starts', retryAfterSeconds });
  // A guest uses up none of the payer's retries.
  const known = by.role === 'payer' ? order.failedStarts : 0;
  const isCounted = provider === providers[0] && by.role === 'payer';
  const started = await begin(platform, provider, {
    reference: order.number,
    amount: totalOf(order),
    description: `Lale ${order.number}`,
    language: order.language,
    returnLanguage: language === order.language ? null : language,
    customer: { ...billing, ...nameOf(order, by, billing), address },
    by,
    due: isDue(order),
  });
  if (!started.ok) {
    if (started.error.code !== 'start_failed') return refused({ code: started.error.code });
    // What a partner refuses of a guest's own words says nothing of the partner.
    const isGuestRefused = by.role === 'guest' && started.error.isRefusal;
    if (!isGuestRefused) await noteFailedStart(platform, provider.name);
    // The retries are the first provider's: another one's failure takes none of them away, nor gives any back.
    const failures = isCounted ? await countFailedStart(platform.db, order.number) : known;
    return refused({
      code: 'start_failed',
      message: started.error.message,
      retries: retriesOf(failures),
      other: fallbackProvider(providers, provider.name),
    });
  }
  if (isCounted && order.failedStarts > 0) await resetFailedStarts(platform.db, order.number);
  const { attemptId, checkoutRedirect, isNew } = started.value;
  if (isNew) await noteStart(platform, provider.name);
  const redirectPath = redirectPathOf(platform, attemptId);
  const isLink = checkoutRedirect.kind === 'link';
  const paymentUrl = isLink ? checkoutRedirect.url : platform.config.publicUrl + redirectPath;
  return ok({ order, attemptId, paymentUrl, redirectPath });
}

const nameOf = (
  order: Order,
  { role }: Beginner,
  said: Partial<AttemptToBegin['customer']> = {},
): Pick<AttemptToBegin['customer'], 'name' | 'email'> =>
  role === 'payer'
    ? { name: order.customerName, email: order.customerEmail }
    : { name: said.name ?? '', email: said.email ?? '' };

const REDIRECT_MS = 60 * 60_000;

function redirectPathOf(platform: Platform, attemptId: string): string {
  const expires = new Date(platform.now().getTime() + REDIRECT_MS);
  const data = platform.signer.sign({ attemptId }, 'checkoutRedirect', expires);
  return `/gpay-checkout?data=${encodeURIComponent(data)}`;
}

/** Our own pages by path, so that a visitor stays on the host name by which they came; other addresses unchanged. */
export const ownPath = (url: string, publicUrl: string): string =>
  url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
