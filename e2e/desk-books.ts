import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { linkEmail } from '../src/features/application/change-email.server.ts';
import type { Application } from '../src/features/application/store.server.ts';
import { refundOrder } from '../src/features/desk/money/refunds.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import type { EmailKind } from '../src/features/email/ledger/tables.server.ts';
import {
  insertEmail,
  markFailed,
  markSent,
  storeContent,
} from '../src/features/email/ledger/store.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import type { Difference } from '../src/features/payment/reconcile/compare.ts';
import { reconciliation, reconciliationRow } from '../src/features/payment/tables.server.ts';
import { attemptsFor, raiseAlert } from '../src/features/payment/settlement/store.server.ts';
import { invite } from '../src/features/staff/accounts/invitation.server.ts';
import { staffAccount } from '../src/features/staff/tables.server.ts';
import type { Staff } from '../src/features/staff/staff.ts';
import type { Platform } from '../src/platform/platform.server.ts';

/** Emails about an application: one sent, one failed, one queued, one repeated. */
export async function storeEmails(
  { db, sealer, now }: Platform,
  { id: about, email, number }: Application,
  staff: Staff,
): Promise<void> {
  const at = now();
  const store = async (kind: EmailKind, resentFrom?: string) => {
    const repeat = resentFrom && { isRepeat: true, resentFrom, staffId: staff.id };
    const { id } = await insertEmail(db, { kind, about, createdAt: at, ...repeat });
    await linkEmail(db, id, [about]);
    const content = { to: email, subject: `Your application ${number}`, body: null };
    await storeContent(db, sealer, id, content);
    return id;
  };
  const received = await store('received');
  await markSent(db, received, at);
  await markSent(db, await store('received', received), at);
  await markFailed(db, await store('correction'), { at, failure: 'address' });
  await store('refunded');
}

/** A refund that waits for a release. */
export async function holdRefund(platform: Platform, staff: Staff, number: string): Promise<void> {
  const order = await orderByNumber(platform.db, number);
  if (!order) throw new Error(`No order ${number}`);
  // As a reviewer, so that it is held above the configured sum.
  const held = await refundOrder(platform, { ...staff, role: 'reviewer' }, order, {
    choice: { cause: 'our_error', askedAt: platform.now(), applications: [number] },
    note: 'The traveller was promised an answer by Friday and did not get one.',
    amounts: new Map(),
  });
  if (!held.ok) throw new Error(JSON.stringify(held.error));
}

/** One alert of each kind. */
export async function storeAlerts({ db, now }: Platform, { orderNumber }: Application) {
  const [attempt] = await attemptsFor(db, orderNumber);
  const attemptId = attempt?.id ?? null;
  const details = {
    wrong_amount: { amount: '93.00', currency: 'USD', transactionId: 'c-5f0e1b' },
    capture_reused: { captureId: 'c-5f0e1b' },
    unknown_reference: { transactionId: 'tx-77c1', amount: '94.00', currency: 'EUR' },
    paid_twice: { captureId: 'c-5f0e1c' },
    refund_failed: { message: 'The card was closed by its bank.', amount: '25.00' },
    pending_long: { reason: 'PENDING_REVIEW' },
    disputed: {
      captureId: 'ch_3c0ffee5f00d0000000000ab',
      status: 'needs_response',
      reason: 'fraudulent',
      amountMinor: 94_00,
    },
    books_amount: { day: '2026-11-20', ourCaptured: '94.00', theirCaptured: '90.00' },
    books_no_answer: { day: '2026-11-20', count: 3 },
  } as const;
  await db.transaction(async (tx) => {
    for (const [kind, detail] of Object.entries(details)) {
      const known = kind as keyof typeof details;
      const raised = { id: randomUUID(), detail, raisedAt: now() };
      await raiseAlert(tx, { ...raised, kind: known, attemptId });
    }
  });
}

/** Two days of reconciliation: one that agrees, one with a row of each difference. */
export async function storeReports({ db, now }: Platform, paid: readonly Application[]) {
  const at = now();
  const dayBefore = (days: number) =>
    new Date(at.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const found: Difference[][] = [['missing_there'], ['amount', 'capture_id'], ['refund_amount']];
  const report = {
    startedAt: at,
    finishedAt: at,
    attempts: 12,
    unanswered: 0,
    differing: 0,
    capturedMinor: 112_800,
    refundedMinor: 9_400,
  };
  await db
    .insert(reconciliation)
    .values([
      { ...report, day: dayBefore(1), provider: 'card', differing: found.length },
      { ...report, day: dayBefore(1), provider: 'paypal', unanswered: 2, finishedAt: null },
      { ...report, day: dayBefore(2), provider: 'card' },
      { ...report, day: dayBefore(2), provider: 'stripe', feesMinor: 3_632 },
    ])
    .onConflictDoNothing();
  const rows = await Promise.all(
    found.map(async (differences, index) => {
      const reference = paid[index]?.orderNumber ?? '';
      const [attempt] = await attemptsFor(db, reference);
      if (!attempt) throw new Error(`${reference} was not paid`);
      const isMissing = differences.includes('missing_there');
      return {
        day: dayBefore(1),
        attemptId: attempt.id,
        provider: 'card',
        reference,
        state: attempt.state,
        capturedMinor: 9_400,
        refundedMinor: 0,
        ourCapturedMinor: 9_400,
        ourRefundedMinor: 0,
        ourRefundingMinor: 0,
        theirCapturedMinor: isMissing ? null : 9_000,
        theirCaptureId: isMissing ? null : 'c-5f0e1b',
        theirRefundedMinor: isMissing ? null : 2_500,
        differences,
        differs: true,
        settled: index === 2,
      };
    }),
  );
  await db.insert(reconciliationRow).values(rows);
}

/** A deactivated colleague, and an invited one. */
export async function storeColleagues(platform: Platform, by: Staff): Promise<void> {
  const gone = await storeStaff(platform, { name: 'B. Öztürk' });
  await platform.db.update(staffAccount).set({ active: false }).where(eq(staffAccount.id, gone.id));
  const invited = await invite(platform, by, {
    email: `new.${randomUUID().slice(0, 8)}@lale.example`,
    name: 'C. Demir',
    role: 'manager',
    language: 'tr',
  });
  if (!invited.ok) throw new Error(invited.error);
}
