import { z } from 'zod';
import { askWithTimeout } from '~/features/payment/settlement/ask-with-timeout.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { isOwnAttempt } from '~/features/payment/initiator.ts';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import {
  attemptById,
  attemptsByReference,
  type Attempt,
} from '~/features/payment/settlement/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isAwaited, payRefusal } from '../may-pay.ts';
import { findOrder } from '../checkout.server.ts';
import { requestInitiator, ownsAttempt } from '../payer/payer.server.ts';
import { orderByNumber, type Order } from '../store.server.ts';
import { redirect } from 'react-router';
import { isLanguage, preferredLanguageKey } from '~/base/languages.ts';
import { readCookie } from '~/platform/http/cookies.server.ts';
import { reasonKey } from './stopped.ts';

/**
 * The result of paying an order, as far as this browser may know. `open`: an attempt, this browser's or not, may be
 * captured at any moment, so that nobody may pay; `awaited` says why. `attempt`: the one that paid, or else this browser's:
 * the one asked about, or its newest; null where it has begun none.
 */
export type PaymentResult = {
  kind: 'paid' | 'open' | 'stopped';
  awaited: AwaitedReason | null;
  order: Order;
  attempt: Attempt | null;
  /** Whether the browser is the payer's. Naming an attempt does not make it so. */
  isPayer: boolean;
  /** The number to show and continue with: the order's for its payer, otherwise the one that was given. */
  number: string;
  /** This browser's own attempt: the one it named, or its newest. */
  own: Attempt | null;
  /** This browser's own attempt that it named, where another one has paid. */
  overtaken: Attempt | null;
};

const uuid = z.uuid();

/**
 * Reads a result page's query: `payment` is an attempt's id, `order` (or `orderReference`) a number. They only say what
 * to look at; what is shown comes from the database. An attempt's id is only accepted from the browser that began it,
 * or from the payer's for the payer's attempts; for others the number alone counts. The provider is asked first about
 * an open attempt.
 */
export async function paymentResult(
  platform: Platform,
  payments: Payments,
  request: Request,
): Promise<PaymentResult | null> {
  const query = new URL(request.url).searchParams;
  const named = uuid.safeParse(query.get('payment'));
  const known = named.success ? await attemptById(platform.db, named.data) : null;
  const asked = known && (await ownsAttempt(platform, request, known)) ? known : null;
  const number = asked?.reference ?? query.get('order') ?? query.get('orderReference');
  const found = number ? await findOrder(platform, number) : null;
  if (!found) return null;
  const viewer = await requestInitiator(platform, request, found);
  const attempts = await attemptsByReference(platform.db, found.number);
  const shown = asked ?? attempts.findLast((attempt) => isOwnAttempt(attempt, viewer)) ?? null;
  const attempt = shown && !found.paidAt ? await askWithTimeout(platform, payments, shown) : shown;
  // Asking the provider may have paid it.
  const order = (await orderByNumber(platform.db, found.number)) ?? found;
  const isPayer = viewer.role === 'payer';
  const shared = { order, isPayer, own: shown, number: isPayer || !number ? order.number : number };
  if (order.paidAt) {
    const paying = attempts.find(({ id }) => id === order.paidBy) ?? attempt;
    const overtaken = asked && asked.id !== order.paidBy ? asked : null;
    return { ...shared, kind: 'paid', awaited: null, attempt: paying, overtaken };
  }
  const refusal = payRefusal(order, await attemptsByReference(platform.db, order.number));
  const awaited = isAwaited(refusal) ? refusal : null;
  return { ...shared, kind: awaited ? 'open' : 'stopped', awaited, attempt, overtaken: null };
}

/** The query that leads to the same result again. */
export const resultQuery = ({ number, own }: PaymentResult): URLSearchParams =>
  new URLSearchParams({ order: number, ...(own ? { payment: own.id } : {}) });

/** Redirects a browser back from a provider to the page in the order's language; null where it is there. */
export function redirectToOrderLanguage(
  request: Request,
  shown: string,
  order: Pick<Order, 'language'>,
): Response | null {
  const hasChosen = isLanguage(readCookie(request, preferredLanguageKey));
  const address = inOrderLanguage(new URL(request.url), shown, {
    language: order.language,
    hasChosen,
  });
  return address === null ? null : redirect(address, { headers: { 'Cache-Control': 'no-store' } });
}

/**
 * The address that continues in the right language after a provider has sent the browser back, or null where this one
 * is right. Our return address contains the language of the page that the browser left, where known and not the
 * order's. Where neither the address nor a saved choice names a language, the order's is used.
 */
export function inOrderLanguage(
  url: URL,
  shown: string,
  { language, hasChosen }: { language: string; hasChosen: boolean },
): string | null {
  const isPrefixed = isLanguage(url.pathname.split('/')[1]);
  if (isPrefixed || hasChosen || language === shown || !isLanguage(language)) return null;
  return `/${language}${url.pathname}${url.search}`;
}

/** What a test page claims in the address of a result page. Nothing of it is stored, so it counts in test mode only. */
type ResultParameters = {
  kind: 'cancelled' | 'failed';
  reason: string | null;
  transactionId: string | null;
  orderNumber: string | null;
};

/** Only codes, no sentences: a link must not make our page show somebody else's text. */
const PLAIN = /^[\w.-]{1,64}$/;

const plain = (value: string | null): string | null =>
  value !== null && PLAIN.test(value) ? value : null;

/**
 * Reads `status`, `transaction`, `reason` and `orderReference` (or `order`). Without `status` the reason implies it;
 * null where neither does.
 */
export function readResultParameters(query: URLSearchParams): ResultParameters | null {
  const reason = reasonIn(query.get('reason'));
  const kind = query.get('status') ?? kindOf(reason);
  if (kind !== 'cancelled' && kind !== 'failed') return null;
  return {
    kind,
    reason,
    ...readReferences(query),
  };
}

/** A code as it came; of a sentence the code of the reason it names, where we know one ("Insufficient funds"); no other. */
function reasonIn(value: string | null): string | null {
  if (!value || plain(value) !== null) return plain(value);
  const code = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return reasonKey(code) === 'other' ? null : code;
}

const kindOf = (reason: string | null): ResultParameters['kind'] | null =>
  reason === null ? null : reason === 'cancelled_by_payer' ? 'cancelled' : 'failed';

export function readReferences(
  query: URLSearchParams,
): Pick<ResultParameters, 'transactionId' | 'orderNumber'> {
  return {
    transactionId: plain(query.get('transaction')) ?? plain(query.get('payment')),
    orderNumber: plain(query.get('orderReference')) ?? plain(query.get('order')),
  };
}
