import { randomUUID } from 'node:crypto';
import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Transaction } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isOwnAttempt, type Beginner } from './beginner.ts';
import { advance, isDecided } from './machine.ts';
import type { AttemptToBegin, Handover, Provider } from './provider.ts';
import { returnAddresses } from './return-address.server.ts';
import {
  attemptById,
  attemptsFor,
  changeAttempt,
  insertAttempt,
  keepReference,
  lockReference,
  type Attempt,
} from './store.server.ts';

/**
 * Within this time a second click of the same beginner leads to the same attempt, so that two tabs cannot pay twice.
 * Nobody is led to somebody else's: it names its payer, and can be cancelled.
 */
const REUSE_MS = 30 * 60_000;
/** When the sweep first asks about an attempt that nobody reported on. */
const FIRST_ASK_MS = 2 * 60_000;

export type ToPay = {
  reference: string;
  amount: Money;
  description: string;
  language: string;
  /** In which the browser goes on after it, where that is another one; else null. */
  returnLanguage: Language | null;
  customer: AttemptToBegin['customer'];
  by: Beginner;
  /**
   * Whether `amount` is still what is due, asked while the reference is held: what the caller read may have been changed
   * meanwhile.
   */
  isStillDue: (tx: Transaction) => Promise<boolean>;
};

export type StartError =
  /** changed: something else is due than the caller thinks, or nothing. */
  | { code: 'already_paid' | 'changed' }
  /** `isRefusal`: the partner said no to this payment; else it gave no usable answer. */
  | { code: 'start_failed'; message: string; isRefusal: boolean };

/** `isNew`: the partner has just begun it; else it is one from before. */
export type Started = { attemptId: string; handover: Handover; isNew: boolean };

/**
 * Opens an attempt and asks the provider to begin it. The attempt is stored before the provider hears of it, and
 * its id is the provider's idempotency key: after a crash between the two the sweep finds out what happened.
 */
export async function begin(
  platform: Platform,
  provider: Provider,
  toPay: ToPay,
): Promise<Outcome<Started, StartError>> {
  const opened = await open(platform, provider, toPay);
  if (!opened.ok) return opened;
  const attempt = opened.value;
  if (attempt.handover) {
    return ok({
      attemptId: attempt.id,
      handover: unsealHandover(platform, attempt.id, attempt.handover),
      isNew: false,
    });
  }

  const { isStillDue: _, returnLanguage, ...asked } = toPay;
  const begun = await provider.begin({
    id: attempt.id,
    ...asked,
    ...returnAddresses(platform, provider.name, {
      attemptId: attempt.id,
      language: returnLanguage,
    }),
  });
  const now = platform.now();
  if (!begun.ok) {
    // Without an answer nobody knows whether a payment exists there: the attempt stays open for the sweep.
    if (begun.error.code === 'refused') {
      const step = advance(attempt.state, 'decline');
      if (step.kind === 'moved') {
        await platform.db.transaction((tx) =>
          changeAttempt(
            tx,
            { id: attempt.id, from: attempt.state },
            { state: step.to, changedAt: now, askAt: null, reason: 'start_refused' },
          ),
        );
      }
    }
    const { code, message } = begun.error;
    return refused({ code: 'start_failed', message, isRefusal: code === 'refused' });
  }

  const { providerReference, handover } = begun.value;
  const isSuperseded = await platform.db.transaction(async (tx) => {
    const isRedirected = await changeAttempt(
      tx,
      { id: attempt.id, from: 'created' },
      {
        state: 'redirected',
        changedAt: now,
        providerReference,
        handover: platform.sealer.sealJson(handover, `handover:${attempt.id}`),
      },
    );
    // The provider may have said more by now; what has been superseded must not be paid.
    if (isRedirected || !(await attemptById(tx, attempt.id))?.supersededAt) return false;
    await keepReference(tx, attempt.id, providerReference);
    return true;
  });
  if (isSuperseded) return refused({ code: 'changed' });
  return ok({ attemptId: attempt.id, handover, isNew: true });
}

async function open(
  platform: Platform,
  provider: Provider,
  toPay: ToPay,
): Promise<Outcome<Attempt, StartError>> {
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    await lockReference(tx, toPay.reference);
    const attempts = await attemptsFor(tx, toPay.reference);
    if (attempts.some((attempt) => attempt.completedAt !== null))
      return refused({ code: 'already_paid' });
    if (!(await toPay.isStillDue(tx))) return refused({ code: 'changed' });
    const reusable = attempts.find(
      (attempt) =>
        attempt.provider === provider.name &&
        attempt.begunBy === toPay.by.role &&
        isOwnAttempt(attempt, toPay.by) &&
        !isDecided(attempt.state) &&
        attempt.handover !== null &&
        attempt.amountMinor === toPay.amount.minor &&
        now.getTime() - attempt.createdAt.getTime() < REUSE_MS,
    );
    if (reusable) return ok(reusable);
    const id = randomUUID();
    const row = {
      id,
      reference: toPay.reference,
      amountMinor: toPay.amount.minor,
      currency: toPay.amount.currency,
      provider: provider.name,
      providerReference: null,
      state: 'created' as const,
      begunBy: toPay.by.role,
      sessionHash: toPay.by.sessionHash,
      handover: null,
      captureId: null,
      refundedMinor: 0,
      claimedMinor: 0,
      reason: null,
      createdAt: now,
      changedAt: now,
      askAt: new Date(now.getTime() + FIRST_ASK_MS),
      completedAt: null,
      supersededAt: null,
    };
    await insertAttempt(tx, row);
    return ok(row);
  });
}

export function unsealHandover(platform: Platform, attemptId: string, sealed: Buffer): Handover {
  return platform.sealer.unsealJson(sealed, `handover:${attemptId}`) as Handover;
}
