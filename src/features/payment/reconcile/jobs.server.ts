import { randomUUID } from 'node:crypto';
import {
  DAY_MS,
  addDays,
  type PlainDate,
  toPlainDate,
  isPlainDate,
  UTC,
} from '~/base/dates/dates.ts';
import { toDecimal, add } from '~/base/money.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Payments } from '../settlement/context.server.ts';
import { providerNamed, type Movement } from '../provider.ts';
import {
  attemptById,
  raiseAlert,
  type Attempt,
  attemptsByCapture,
} from '../settlement/store.server.ts';
import { askProvider } from '../settlement/sweep.server.ts';
import {
  compare,
  sameLedger,
  type ReconciliationDifference,
  type Ledger,
  type ProviderBooks,
} from './compare.ts';
import {
  attemptsToCompare,
  readLedger,
  replaceReport,
  storeMovements,
  type ComparedAttempt,
  type ReconciliationReport,
  type ReportRow,
  type UtcDaySpan,
  firstAttemptMoment,
  reportsBetween,
} from './store.server.ts';
import { isMoving } from '../refund-machine.ts';
import { unknownRefundAlert } from '../settlement/refund-notification.server.ts';
import { refundsByAttempts } from '../settlement/refund-store.server.ts';
import { z } from 'zod';
import { enqueue, type JobHandlers } from '~/platform/jobs/jobs.server.ts';

/** A day's movements in a provider's books; null where it has no such list. */
type Moved = readonly Movement[] | 'no_answer' | null;

async function movementsOf(
  { providers }: Pick<Payments, 'providers'>,
  name: string,
  span: UtcDaySpan,
): Promise<Moved> {
  const provider = providerNamed(providers, name);
  if (!provider?.movements) return null;
  return provider.movements(span).catch((): Moved => 'no_answer');
}

/** Those that name a capture, which may be somebody else's: other software may use the same account. */
const namesCapture = ({ kind }: Movement) => kind === 'dispute' || kind === 'refund';

const capturesIn = (moved: readonly Movement[]) => [
  ...new Set(moved.flatMap(({ captureId }) => captureId ?? [])),
];

/** Without refunds and disputes of captures that are not ours. */
async function ownMovements(db: Queryable, provider: string, moved: Moved): Promise<Moved> {
  if (moved === null || moved === 'no_answer') return moved;
  const known = await attemptsByCapture(db, provider, capturesIn(moved.filter(namesCapture)));
  return moved.filter((one) => !namesCapture(one) || known.has(one.captureId ?? ''));
}

/**
 * What the provider kept of payments, refunds and disputes, in minor units; null where one of them does not say it in
 * our currency.
 */
export function sumFees(moved: Moved): number | null {
  if (moved === null || moved === 'no_answer') return null;
  const charged = moved.filter(({ kind }) => kind !== 'payout' && kind !== 'fee');
  const fees = charged.flatMap(({ fee }) => fee ?? []);
  return fees.length === charged.length ? add(...fees).minor : null;
}

/**
 * Raises an alert, once, for each capture in the provider's books that is in no attempt of ours, and for each refund of
 * a capture of ours that is not in our ledger.
 */
async function alertAboutUnknown(
  tx: Transaction,
  { day, provider }: Pick<ReconciliationReport, 'day' | 'provider'>,
  moved: Moved,
  now: Date,
): Promise<void> {
  if (moved === null || moved === 'no_answer') return;
  const known = await attemptsByCapture(tx, provider, capturesIn(moved));
  for (const { kind, captureId } of moved) {
    if (kind !== 'capture' || captureId === null || known.has(captureId)) continue;
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'unknown_reference',
      attemptId: null,
      once: `books:stranger:${provider}:${captureId}`,
      detail: { day, captureId },
      raisedAt: now,
    });
  }
  const refunded = moved.filter(({ kind, refundId }) => kind === 'refund' && refundId !== null);
  const attempts = capturesIn(refunded).flatMap((captureId) => known.get(captureId) ?? []);
  const ours = await refundsByAttempts(
    tx,
    attempts.map(({ id }) => id),
  );
  for (const { captureId, refundId, amount } of refunded) {
    const attempt = known.get(captureId ?? '');
    // One of ours that is being made may be booked before its id is stored.
    const isOurs = ours.some(
      (one) =>
        one.attemptId === attempt?.id &&
        (one.providerRefundId === refundId ||
          (one.providerRefundId === null && isMoving(one.state))),
    );
    if (!attempt || refundId === null || isOurs) continue;
    await raiseAlert(tx, {
      ...unknownRefundAlert(provider, { attempt, providerRefundId: refundId, isFailed: false }),
      detail: {
        day,
        captureId,
        providerRefundId: refundId,
        amountMinor: amount && Math.abs(amount.minor),
      },
      raisedAt: now,
    });
  }
}

/** Concurrent questions to a provider. */
const AT_ONCE = 4;
/** Comparisons of one payment that keeps changing meanwhile. */
const LOOKS = 3;
/** Milliseconds after a day's end when unanswered questions raise an alert. */
const PATIENCE_MS = 12 * 3600_000;

export const utcDaySpan = (day: PlainDate): UtcDaySpan => ({
  from: new Date(`${day}T00:00:00Z`),
  to: new Date(`${addDays(day, 1)}T00:00:00Z`),
});

/**
 * Compares the payments of a UTC day with every provider's books and replaces earlier reports. A difference raises its
 * alert once. A capture that a provider made without telling us is settled. Returns the reports; one with unanswered
 * questions is unfinished.
 */
export async function reconcile(
  platform: Platform,
  payments: Payments,
  day: PlainDate,
): Promise<ReconciliationReport[]> {
  const startedAt = platform.now();
  const attempts = await attemptsToCompare(platform.db, utcDaySpan(day));
  const looked = await inTurns(attempts, (compared) => lookAt(platform, payments, day, compared));
  const rows = looked.map(({ row }) => row);
  const names = new Set([
    ...payments.providers.map(({ name }): string => name),
    ...rows.map(({ provider }) => provider),
  ]);
  const reports: ReconciliationReport[] = [];
  for (const provider of names) {
    const own = rows.filter((row) => row.provider === provider);
    const listed = await movementsOf(payments, provider, utcDaySpan(day));
    const moved = await ownMovements(platform.db, provider, listed);
    const ofPayments = looked
      .filter(({ row }) => row.provider === provider)
      .flatMap(({ movements }) => movements);
    const movements = [...(moved === null || moved === 'no_answer' ? [] : moved), ...ofPayments];
    const report = summarise(own, moved, { day, provider, startedAt, now: platform.now() });
    await platform.db.transaction(async (tx) => {
      await replaceReport(tx, report, own);
      await storeMovements(tx, provider, movements, platform.now());
      for (const row of own) await alertAbout(tx, row, platform.now());
      await alertAboutUnknown(tx, report, moved, platform.now());
      if (report.unanswered > 0) await alertAboutSilence(tx, report, platform.now());
    });
    reports.push(report);
  }
  return reports;
}

async function inTurns<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  const waiting = list.entries();
  const worker = async () => {
    for (const [index, one] of waiting) done[index] = await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

async function lookAt(
  platform: Platform,
  payments: Payments,
  day: PlainDate,
  { attempt, captured, refunded }: ComparedAttempt,
): Promise<{ row: ReportRow; movements: readonly Movement[] }> {
  const found = await compareNow(platform, payments, attempt);
  const settled =
    found.differences.includes('missing_here') && (await takeOver(platform, payments, attempt));
  const { ours, theirs, differences } = found;
  const known = typeof theirs === 'object' ? theirs : null;
  const row: ReportRow = {
    day,
    attemptId: attempt.id,
    provider: attempt.provider,
    reference: attempt.reference,
    state: ours.state,
    capturedMinor: captured,
    refundedMinor: refunded,
    ourCapturedMinor: ours.captured?.minor ?? null,
    ourRefundedMinor: ours.refunded.minor,
    ourRefundingMinor: ours.refunding.minor,
    theirCapturedMinor: known?.captured?.minor ?? null,
    theirCaptureId: known?.captureId ?? null,
    theirRefundedMinor: known?.refunded.minor ?? null,
    differences,
    differs: differences.length > 0,
    settled,
  };
  return { row, movements: known?.movements ?? [] };
}

type Found = {
  ours: Ledger & { state: string };
  theirs: ProviderBooks;
  differences: ReconciliationDifference[];
};

/** Our ledger is read before and after the question, because a change in between would look like a difference. */
async function compareNow(
  platform: Platform,
  { providers }: Payments,
  { id, provider }: Attempt,
): Promise<Found> {
  const partner = providerNamed(providers, provider);
  for (let look = 1; ; look++) {
    const before = await readLedger(platform.db, id);
    const current = await attemptById(platform.db, id);
    const providerReference = current?.providerReference ?? null;
    const theirs = partner ? await answered(partner.books({ id, providerReference })) : 'no_answer';
    const ours = await readLedger(platform.db, id);
    if (sameLedger(before, ours) || look === LOOKS) {
      return { ours, theirs, differences: compare(ours, theirs) };
    }
  }
}

const answered = (books: Promise<ProviderBooks>): Promise<ProviderBooks> =>
  books.catch(() => 'no_answer');

/** Settles the provider's capture; true when the books agree afterwards. Asking captures nothing. */
async function takeOver(
  platform: Platform,
  payments: Payments,
  attempt: Attempt,
): Promise<boolean> {
  const { providers, onPaid } = payments;
  await askProvider(platform, providers, attempt, onPaid, { mayCapture: false });
  return (await compareNow(platform, payments, attempt)).differences.length === 0;
}

function summarise(
  rows: readonly ReportRow[],
  moved: Moved,
  run: { day: PlainDate; provider: string; startedAt: Date; now: Date },
): ReconciliationReport {
  const { now, ...of } = run;
  const sum = (what: (row: ReportRow) => number) => rows.reduce((all, row) => all + what(row), 0);
  const silent = rows.filter(({ differences }) => differences.includes('no_answer')).length;
  const unanswered = silent + (moved === 'no_answer' ? 1 : 0);
  return {
    ...of,
    finishedAt: unanswered === 0 ? now : null,
    attempts: rows.length,
    unanswered,
    differing: rows.filter(({ differs }) => differs).length - silent,
    capturedMinor: sum(({ capturedMinor }) => capturedMinor),
    refundedMinor: sum(({ refundedMinor }) => refundedMinor),
    feesMinor: sumFees(moved),
  };
}

async function alertAbout(tx: Transaction, row: ReportRow, now: Date): Promise<void> {
  if (row.settled) return;
  for (const difference of row.differences) {
    if (difference === 'no_answer') continue;
    const ours = [row.ourCapturedMinor, row.ourRefundedMinor];
    const theirs = [row.theirCapturedMinor, row.theirCaptureId, row.theirRefundedMinor];
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: `books_${difference}`,
      attemptId: row.attemptId,
      // The same difference is the same alert; changed figures make another.
      once: ['books', difference, row.attemptId, ...ours, ...theirs].join(':'),
      detail: {
        day: row.day,
        ourCaptured: decimal(row.ourCapturedMinor),
        ourRefunded: decimal(row.ourRefundedMinor),
        theirCaptured: decimal(row.theirCapturedMinor),
        theirCaptureId: row.theirCaptureId,
        theirRefunded: decimal(row.theirRefundedMinor),
      },
      raisedAt: now,
    });
  }
}

const decimal = (minor: number | null) =>
  minor === null ? null : toDecimal({ minor, currency: 'USD' });

async function alertAboutSilence(
  tx: Transaction,
  report: ReconciliationReport,
  now: Date,
): Promise<void> {
  const { day, provider, unanswered } = report;
  const end = Date.parse(`${day}T00:00:00Z`) + DAY_MS;
  if (now.getTime() < end + PATIENCE_MS) return;
  await raiseAlert(tx, {
    id: randomUUID(),
    kind: 'books_no_answer',
    attemptId: null,
    once: `books:no_answer:${day}:${provider}`,
    detail: { day, provider, count: unanswered },
    raisedAt: now,
  });
}

/** Days back for which missing or unfinished reports are made (the service may have been off). */
const BACK = 14;

const asked = z.object({ day: z.string().refine(isPlainDate) });

export function reconciliationJobs(platform: Platform, payments: Payments): JobHandlers {
  return {
    'payment.reconcile_days': () => askForReports(platform, payments),
    'payment.reconcile': async (payload) => {
      const day = asked.parse(payload).day;
      const reports = await reconcile(platform, payments, day);
      // The unfinished report is stored; the failing job is retried with growing pauses.
      const silent = reports.filter(({ unanswered }) => unanswered > 0);
      if (silent.length > 0) {
        const names = silent.map(({ provider }) => provider).join(', ');
        throw new Error(`Reconciliation of ${day}: not all answers of ${names}`);
      }
    },
  };
}

/** Enqueues one day's comparison; asking twice makes one job. */
export const askForReport = (db: Queryable, day: PlainDate): Promise<void> =>
  enqueue(db, 'payment.reconcile', { day }, { key: `reconcile:${day}` });

/** Yesterday, and every day of the last two weeks with a missing or unfinished report. */
async function askForReports(platform: Platform, { providers }: Payments): Promise<void> {
  const { db } = platform;
  const first = await firstAttemptMoment(db);
  if (!first) return;
  const last = addDays(toPlainDate(platform.now(), UTC), -1);
  const from = addDays(last, 1 - BACK);
  const began = toPlainDate(first, UTC);
  const reports = await reportsBetween(db, from, last);
  for (let day = began > from ? began : from; day <= last; day = addDays(day, 1)) {
    const own = reports.filter((report) => report.day === day);
    const isWhole =
      own.every(({ finishedAt }) => finishedAt !== null) &&
      providers.every(({ name }) => own.some(({ provider }) => provider === name));
    if (!isWhole) await askForReport(db, day);
  }
}
