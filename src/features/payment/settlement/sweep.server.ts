import { DAY_MS } from '~/base/dates/dates.ts';
import { randomUUID } from 'node:crypto';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { advanceAttempt, isOpen } from '../machine.ts';
import { providerNamed, type ProviderAnswer, type Providers } from '../provider.ts';
import { advanceRefund, type RefundContext } from './refund.server.ts';
import { refundLateCapture, settle, type OnPaid } from './settle.server.ts';
import {
  attemptById,
  attemptsByReference,
  attemptsToAsk,
  CAME_BACK_MS,
  changeAttempt,
  dropAlert,
  raiseAlert,
  type Attempt,
  pendingAlert,
} from './store.server.ts';
import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { movingStates } from '../refund-machine.ts';
import { paymentAttempt, paymentRefund } from '../tables.server.ts';
import type { Refund } from './refund-store.server.ts';

/** Age in milliseconds at which an attempt expires that the provider does not know or has not decided. */
export const EXPIRY_MS = DAY_MS;
/** Age at which an attempt unknown to the provider expires: the browser never went there. */
const UNKNOWN_MS = 60 * 60_000;
/** Age at which an attempt that its provider has accepted but not decided raises an alert, once. */
const PENDING_LONG_MS = DAY_MS;
const BATCH = 100;

/**
 * Asks providers about every attempt that is due. No answer never means failed: it is asked about again, with growing
 * pauses. Returns the number of attempts.
 */
export async function sweep(
  platform: Platform,
  providers: Providers,
  onPaid: OnPaid,
): Promise<number> {
  const due = await attemptsToAsk(platform.db, platform.now(), BATCH);
  for (const attempt of due) {
    await lookAt(platform, attempt, () => askProvider(platform, providers, attempt, onPaid));
  }
  return due.length;
}

/** Advances every undecided refund, and asks for missing refunds of late captures. */
export async function sweepRefunds(platform: Platform, payments: RefundContext): Promise<void> {
  for (const attempt of await lateCapturesToReturn(platform.db, BATCH)) {
    await lookAt(platform, attempt, () =>
      platform.db.transaction((tx) => refundLateCapture(tx, attempt.id, platform.now())),
    );
  }
  for (const refund of await refundsToAsk(platform.db, platform.now(), BATCH)) {
    await lookAt(platform, refund, () => advanceRefund(platform, payments, refund.id));
  }
}

/** A failure with one attempt or refund must not stop the sweep of the others. */
async function lookAt(platform: Platform, { id }: { id: string }, look: () => Promise<unknown>) {
  try {
    await look();
  } catch (err) {
    platform.log.error({ err, id }, 'an attempt or a refund could not be swept');
  }
}

/**
 * Asks the provider about one attempt and settles its answer; returns the attempt afterwards. Money that the payer has
 * approved is captured, unless `mayCapture` is false, the attempt has ended or is superseded, or another one has paid.
 */
export async function askProvider(
  platform: Platform,
  providers: Providers,
  attempt: Attempt,
  onPaid: OnPaid,
  { mayCapture = true } = {},
): Promise<Attempt> {
  const provider = providerNamed(providers, attempt.provider);
  const attempts = await attemptsByReference(platform.db, attempt.reference);
  const isPaidFor = attempts.some(({ completedAt }) => completedAt !== null);
  const isSuperseded = attempts.some(({ id, supersededAt }) => id === attempt.id && supersededAt);
  const answer = provider
    ? await provider.ask(
        { id: attempt.id, providerReference: attempt.providerReference },
        { mayCapture: mayCapture && isOpen(attempt.state) && !isPaidFor && !isSuperseded },
      )
    : 'no_answer';
  if (typeof answer === 'object' && provider) {
    await settle(platform, provider.name, answer, onPaid);
  }
  const current = (await attemptById(platform.db, attempt.id)) ?? attempt;
  // One that we have ended is asked about as well: it may be paid all the same.
  if (!isOpen(current.state) && current.askAt === null) return current;
  await wait(platform, current, answer);
  return (await attemptById(platform.db, attempt.id)) ?? current;
}

/** Still undecided: asked about again, unless its age and the provider's answer mean that it expires. */
async function wait(platform: Platform, attempt: Attempt, answer: ProviderAnswer) {
  const now = platform.now();
  const age = now.getTime() - attempt.createdAt.getTime();
  const dead =
    (answer === 'unknown' && age > UNKNOWN_MS) || (answer === 'nothing' && age > EXPIRY_MS);
  const step = dead ? advanceAttempt(attempt.state, 'expire') : null;
  // The provider knows of the end that we gave it.
  const isEnded =
    typeof answer === 'object' && ['decline', 'cancel', 'expire'].includes(answer.event);
  const isOver = (dead || isEnded) && !isOpen(attempt.state);
  const waited = attempt.cameBackAt === null ? 0 : now.getTime() - attempt.cameBackAt.getTime();
  const hasPaidNothing = (answer === 'nothing' || answer === 'unknown') && waited >= CAME_BACK_MS;
  const values = isOver
    ? { askAt: null }
    : step?.kind === 'moved'
      ? { state: step.to, changedAt: now, askAt: null, checkoutRedirect: null, reason: 'expired' }
      : // At twice its age: after 2 minutes, 4, 8, …, at most an hour later.
        {
          askAt: new Date(now.getTime() + Math.min(Math.max(age, 60_000), 3600_000)),
          ...(hasPaidNothing && { cameBackAt: null }),
        };
  await platform.db.transaction(async (tx) => {
    const isStill = await changeAttempt(tx, { id: attempt.id, from: attempt.state }, values);
    if (!isStill) return;
    if (step?.kind === 'moved') await dropAlert(tx, pendingAlert(attempt.id), now);
    else if (isTakenOn(attempt) && age > PENDING_LONG_MS) await alertPending(tx, attempt, now);
  });
}

/** The provider has accepted it and must decide: it never expires here, so staff have to ask. */
const isTakenOn = ({ state }: Attempt): boolean => state === 'pending' || state === 'authorised';

const alertPending = (tx: Transaction, { id, createdAt }: Attempt, raisedAt: Date) =>
  raiseAlert(tx, {
    id: randomUUID(),
    kind: 'pending_long',
    attemptId: id,
    detail: { since: createdAt.toISOString() },
    raisedAt,
    once: pendingAlert(id),
  });

/** Undecided refunds that are due to be asked about. */
async function refundsToAsk(db: Queryable, now: Date, limit: number): Promise<Refund[]> {
  return db
    .select()
    .from(paymentRefund)
    .where(
      and(
        isNotNull(paymentRefund.askAt),
        lte(paymentRefund.askAt, now),
        inArray(paymentRefund.state, [...movingStates]),
      ),
    )
    .orderBy(asc(paymentRefund.askAt))
    .limit(limit);
}

/** Late captures without a refund. */
async function lateCapturesToReturn(db: Queryable, limit: number): Promise<Attempt[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(
      and(
        eq(paymentAttempt.state, 'captured_late'),
        isNotNull(paymentAttempt.captureId),
        sql`not exists (select 1 from ${paymentRefund} where ${paymentRefund.attemptId} = ${paymentAttempt.id})`,
      ),
    )
    .orderBy(asc(paymentAttempt.changedAt))
    .limit(limit);
}
