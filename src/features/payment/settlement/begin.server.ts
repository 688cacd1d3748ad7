import { DAY_MS } from '~/base/dates/dates.ts';
import { randomUUID, createHash } from 'node:crypto';
import { type Language, isLanguage } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Initiator } from '../initiator.ts';
import { advanceAttempt } from '../machine.ts';
import {
  openAttempt,
  type DueCondition,
  attemptById,
  changeAttempt,
  storeReference,
  type Attempt,
} from './store.server.ts';
import type { AttemptToBegin, BegunPayment, CheckoutRedirect, Provider } from '../provider.ts';
import { endUnfinished } from './supersede.server.ts';
import { z } from 'zod';

const state = z.object({
  attemptId: z.uuid(),
  outcome: z.enum(['return', 'cancel']),
  /** The language of the page that the browser left, where it is not that of what is paid. */
  language: z.custom<Language>(isLanguage).nullish(),
});

/** What our signed address says about a browser that came back. It proves no payment. */
type ReturnState = z.infer<typeof state>;

/** Longer than any attempt stays open. */
const VALID_MS = 7 * DAY_MS;

/**
 * Where a provider sends the payer's browser. A cross-site return carries no cookie, so the address names the attempt;
 * `language`: the one to continue in, where the result page would choose another; null otherwise.
 */
export function returnAddresses(
  platform: Platform,
  provider: string,
  { attemptId, language }: { attemptId: string; language: Language | null },
) {
  const expires = new Date(platform.now().getTime() + VALID_MS);
  const address = (outcome: ReturnState['outcome']) => {
    const token = platform.signer.sign(
      { attemptId, outcome, ...(language && { language }) },
      'payment-return',
      expires,
    );
    return `${platform.config.publicUrl}/api/payment/return/${provider}?state=${token}`;
  };
  return { returnUrl: address('return'), cancelUrl: address('cancel') };
}

/** The state in a returning browser's address; null where it is forged or expired. */
export function readReturnState(platform: Platform, query: URLSearchParams): ReturnState | null {
  const verified = platform.signer.verify(
    query.get('state') ?? '',
    'payment-return',
    platform.now(),
  );
  const parsed = state.safeParse(verified.ok ? verified.payload : null);
  return parsed.success ? parsed.data : null;
}

/**
 * Milliseconds within which another click of the same initiator continues the same attempt, so that two tabs cannot pay
 * twice. Others get their own: an attempt contains its payer's name and can be cancelled.
 */
const REUSE_MS = 30 * 60_000;
/** Milliseconds after which the sweep first asks about an attempt without events. */
const FIRST_ASK_MS = 2 * 60_000;

type PaymentToBegin = {
  reference: string;
  amount: Money;
  description: string;
  language: string;
  /** The language in which the browser continues afterwards, where it is not the order's; null otherwise. */
  returnLanguage: Language | null;
  customer: AttemptToBegin['customer'];
  by: Initiator;
  /**
   * A query that returns a row, locked FOR SHARE, while `amount` is still due: it may have changed since the caller
   * read it.
   */
  due: DueCondition;
};

type StartError =
  /**
   * `changed`: another amount is due than the caller read, or nothing. `awaited`: another attempt may be captured at any
   * moment.
   */
  | { code: 'already_paid' | 'changed' | 'awaited' }
  /** `isRefusal`: the provider refused this payment; otherwise it gave no usable answer. */
  | { code: 'start_failed'; message: string; isRefusal: boolean };

/** `isNew`: the provider has just begun it; otherwise it is an earlier one. */
type StartedAttempt = {
  attemptId: string;
  checkoutRedirect: CheckoutRedirect;
  isNew: boolean;
};

/**
 * Opens an attempt and asks the provider to begin it. Attempts that the same initiator left unfinished at a provider's
 * page end: whoever pays in another way has given them up. The attempt is stored first, and its id is the provider's
 * idempotency key: after a crash between the two the sweep finds out what happened.
 */
export async function beginPayment(
  platform: Platform,
  provider: Provider,
  toPay: PaymentToBegin,
): Promise<Outcome<StartedAttempt, StartError>> {
  const { by, due, returnLanguage, ...asked } = toPay;
  const at = platform.now();
  const attemptToOpen = newAttempt(provider, toPay, at);
  const open = (reusableAfter: Date) =>
    openAttempt(platform.db, attemptToOpen, { by, due, reusableAfter });
  const carried = hashOf(platform, asked.customer);
  let opened = await open(new Date(at.getTime() - REUSE_MS));
  // What was begun without this name and email would drop them.
  if (opened.kind === 'reused' && carriedBy(platform, opened.attempt) !== carried)
    opened = await open(at);
  if (opened.kind !== 'opened' && opened.kind !== 'reused') return refused({ code: opened.kind });
  if (opened.unfinished.length > 0) {
    const { id } = opened.attempt;
    const left = opened.unfinished.filter((one) => one !== id);
    await platform.db.transaction((tx) => endUnfinished(tx, toPay.reference, left, at));
  }
  if (opened.kind === 'reused') {
    const { id, checkoutRedirect } = opened.attempt;
    return ok({
      attemptId: id,
      checkoutRedirect: unsealCheckoutRedirect(platform, id, checkoutRedirect),
      isNew: false,
    });
  }

  const { attempt } = opened;
  const begun = await provider.begin({
    id: attempt.id,
    ...asked,
    ...returnAddresses(platform, provider.name, {
      attemptId: attempt.id,
      language: returnLanguage,
    }),
  });
  if (begun.ok) {
    const isStored = await storeBegun(platform, attempt, { ...begun.value, carried });
    if (!isStored) return refused({ code: 'changed' });
    return ok({
      attemptId: attempt.id,
      checkoutRedirect: begun.value.checkoutRedirect,
      isNew: true,
    });
  }
  const { code, message } = begun.error;
  // Without an answer a payment may exist there: the attempt stays open for the sweep.
  const step = code === 'refused' ? advanceAttempt(attempt.state, 'decline') : null;
  if (step?.kind === 'moved') {
    await changeAttempt(
      platform.db,
      { id: attempt.id, from: attempt.state },
      { state: step.to, changedAt: platform.now(), askAt: null, reason: 'start_refused' },
    );
  }
  return refused({ code: 'start_failed', message, isRefusal: code === 'refused' });
}

function newAttempt(
  provider: Provider,
  { reference, amount, by }: PaymentToBegin,
  now: Date,
): Attempt {
  return {
    id: randomUUID(),
    reference,
    amountMinor: amount.minor,
    currency: amount.currency,
    provider: provider.name,
    providerReference: null,
    state: 'created',
    begunBy: by.role,
    sessionHash: by.sessionHash,
    checkoutRedirect: null,
    captureId: null,
    refundedMinor: 0,
    claimedMinor: 0,
    reason: null,
    createdAt: now,
    changedAt: now,
    askAt: new Date(now.getTime() + FIRST_ASK_MS),
    completedAt: null,
    supersededAt: null,
    cameBackAt: null,
  };
}

/** Stores what the provider has begun; false where the attempt was superseded meanwhile and must not be paid. */
async function storeBegun(
  { db, sealer, now }: Platform,
  { id }: Attempt,
  { providerReference, checkoutRedirect, carried }: BegunPayment & { carried: string },
): Promise<boolean> {
  const isRedirected = await changeAttempt(
    db,
    { id, from: 'created' },
    {
      state: 'redirected',
      changedAt: now(),
      providerReference,
      checkoutRedirect: sealer.sealJson(
        { ...checkoutRedirect, carried },
        `payment_attempt.checkout_redirect:${id}`,
      ),
    },
  );
  // The provider may have reported more by now.
  if (isRedirected || !(await attemptById(db, id))?.supersededAt) return true;
  await storeReference(db, id, providerReference);
  return false;
}

export function unsealCheckoutRedirect(
  platform: Platform,
  attemptId: string,
  sealed: Buffer,
): CheckoutRedirect {
  const { carried: _, ...redirect } = unsealStored(platform, attemptId, sealed);
  return redirect;
}

/** `carried`: whose name, email and address the provider was told, hashed. */
const unsealStored = ({ sealer }: Pick<Platform, 'sealer'>, attemptId: string, sealed: Buffer) =>
  sealer.unsealJson(
    sealed,
    `payment_attempt.checkout_redirect:${attemptId}`,
  ) as CheckoutRedirect & {
    carried?: string;
  };

const carriedBy = (
  platform: Platform,
  { id, checkoutRedirect }: { id: string; checkoutRedirect: Buffer },
): string | undefined => unsealStored(platform, id, checkoutRedirect).carried;

/** Without the IP address, which changes on the way between two clicks. */
const hashOf = (
  { sealer }: Pick<Platform, 'sealer'>,
  { address: _, ...customer }: AttemptToBegin['customer'],
): string => sealer.keyedHash(JSON.stringify(customer), 'payment_attempt.customer').toString('hex');

/**
 * The id of the refund that replaces a failed one: derived, so that pressing twice makes one, and new to the provider.
 */
export const makeRetryId = (refundId: string): string => makeRefundId(`retry:${refundId}`);

/** The id of the one refund of an occasion, such as an application and a cause. */
export function makeRefundId(occasion: string): string {
  const hex = createHash('sha256').update(occasion).digest('hex');
  // Version 8 of RFC 9562: a UUID with custom content.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
