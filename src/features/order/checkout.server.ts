import type { Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { beginPayment } from '~/features/payment/settlement/begin.server.ts';
import type { Initiator } from '~/features/payment/initiator.ts';
import {
  noteFailedStart,
  noteStart,
  offeredProviders,
} from '~/features/payment/providers/outage.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { AttemptToBegin, Providers } from '~/features/payment/provider.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { fallbackProvider } from './fallback-provider.ts';
import { isAwaited, payRefusal, type PayRefusal } from './may-pay.ts';
import { countRetries } from './payment-start.ts';
import {
  countFailedStart,
  resetFailedStarts,
  dueCondition,
  orderByNumber,
  orderByApplication,
  orderTotal,
  type Order,
} from './store.server.ts';
import { data } from 'react-router';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter, type Limit, type Limiter } from '~/platform/http/rate-limit.server.ts';

/** Starts of one order's payment by its payer, and as many by all others who know its number. */
export const START_LIMIT: Limit = { name: 'pay_order', points: 20, seconds: 600 };

type Limits = {
  /** Payments started from one address on our pages. */
  payer: Limiter;
  /** Payments started for one order: by its payer, and separately by all others who know its number. */
  order: Limiter;
};

export const paymentLimits = oncePerPool((pool): Limits => ({
  payer: makeLimiter(pool, { name: 'pay_address', points: 60, seconds: 600 }),
  order: makeLimiter(pool, START_LIMIT),
}));

/** Counts the start of a payment; guests have a limit of their own, so that they cannot use up the payer's. */
const limitStart = (
  platform: Pick<Platform, 'pool'>,
  { number }: { number: string },
  { role }: Initiator,
) => paymentLimits(platform).order.consume(role === 'payer' ? number : `guest:${number}`);

/** What a page throws to have `TooManyPayments` shown. `seconds`: until the next try. */
export const tooManyPayments = (seconds: number) =>
  data(null, { status: 429, headers: { 'Retry-After': String(seconds) } });

export type CheckoutError =
  /** `changed`: the order or its amount changed while the payment was being started. */
  | { code: 'already_paid' | 'closed' | 'no_provider' | 'changed' }
  /** Another attempt may be captured at any moment. */
  | { code: AwaitedReason }
  | { code: 'too_many_starts'; retryAfterSeconds: number }
  /**
   * `retries`: used retries of the first provider, of three. `provider`: the one that was tried. `other`: another one that
   * can be offered.
   */
  | {
      code: 'start_failed';
      message: string;
      retries: number;
      provider: ProviderName;
      other: ProviderName | null;
    };

export type Checkout = {
  order: Order;
  attemptId: string;
  /** Where the browser goes next: the provider, or our redirect page for a provider that needs a form. */
  paymentUrl: string;
  /** The path of our redirect page in any case, because browsers block forms that are redirected to another site. */
  redirectPath: string;
};

/** An order by its own number or by one of its applications' numbers. */
export async function findOrder(platform: Platform, reference: string): Promise<Order | null> {
  return (
    (await orderByNumber(platform.db, reference)) ??
    (await orderByApplication(platform.db, reference))
  );
}

/**
 * Starts paying an order at the named provider, or else the first that is not down; the amount is always the order's.
 * The payer's name and email are sent to the provider with the payer's own attempts only; a guest's attempt has what
 * the guest entered. At most twenty starts in ten minutes for one order, over all pages and calls.
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
    by: Initiator;
    address: string;
    /** The language of the page that the browser leaves and comes back to; null means the order's. */
    language?: Language | null;
    billing?: Partial<AttemptToBegin['customer']>;
    provider?: string | undefined;
  },
): Promise<Outcome<Checkout, CheckoutError>> {
  // What attempts refuse is known to the statement that opens another one.
  const refusal = payRefusal(order, []);
  if (refusal !== null) return refused(refusalOf(refusal));
  const provider = wanted
    ? providers.find(({ name }) => name === wanted)
    : (await offeredProviders(platform, providers))[0];
  if (!provider) return refused({ code: 'no_provider' });
  const { allowed, retryAfterSeconds } = await limitStart(platform, order, by);
  if (!allowed) return refused({ code: 'too_many_starts', retryAfterSeconds });
  // Guests use no retries of the payer.
  const known = by.role === 'payer' ? order.failedStarts : 0;
  const isCounted = provider === providers[0] && by.role === 'payer';
  const started = await beginPayment(platform, provider, {
    reference: order.number,
    amount: orderTotal(order),
    description: `Lale ${order.number}`,
    language: order.language,
    returnLanguage: language === order.language ? null : language,
    customer: { ...billing, ...nameOf(order, by, billing), address },
    by,
    due: dueCondition(order),
  });
  if (!started.ok) {
    if (started.error.code === 'awaited') {
      const why = payRefusal(order, await attemptsByReference(platform.db, order.number));
      // It was decided just now.
      return refused(why === null ? { code: 'changed' } : refusalOf(why));
    }
    if (started.error.code !== 'start_failed') return refused({ code: started.error.code });
    // A provider refusing what a guest entered is no sign of an outage.
    const isGuestRefused = by.role === 'guest' && started.error.isRefusal;
    if (!isGuestRefused) await noteFailedStart(platform, provider.name);
    // Retries belong to the first provider: failures of another one do not count.
    const failures = isCounted ? await countFailedStart(platform.db, order.number) : known;
    return refused({
      code: 'start_failed',
      message: started.error.message,
      retries: countRetries(failures),
      provider: provider.name,
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

const refusalOf = (refusal: PayRefusal): CheckoutError =>
  isAwaited(refusal) || refusal === 'closed'
    ? { code: refusal }
    : { code: refusal === 'paid' ? 'already_paid' : 'changed' };

const nameOf = (
  order: Order,
  { role }: Initiator,
  customer: Partial<AttemptToBegin['customer']> = {},
): Pick<AttemptToBegin['customer'], 'name' | 'email'> =>
  role === 'payer'
    ? { name: order.customerName, email: order.customerEmail }
    : { name: customer.name ?? '', email: customer.email ?? '' };

const REDIRECT_MS = 60 * 60_000;

function redirectPathOf(platform: Platform, attemptId: string): string {
  const expires = new Date(platform.now().getTime() + REDIRECT_MS);
  const data = platform.signer.sign({ attemptId }, 'checkoutRedirect', expires);
  return `/gpay-checkout?data=${encodeURIComponent(data)}`;
}

/** Our own addresses as paths, so that a visitor stays on the same host name; other addresses unchanged. */
export const ownPath = (url: string, publicUrl: string): string =>
  url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
