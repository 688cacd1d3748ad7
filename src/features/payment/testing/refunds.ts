import { ok, refused } from '~/base/outcome.ts';
import type { Provider, Providers, RefundMade } from '../provider.ts';
import type { Payments } from '../settlement/context.server.ts';
import { randomUUID } from 'node:crypto';
import { usd } from '~/base/money.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { requestRefund } from '../settlement/refund-request.server.ts';
import { refundById } from '../settlement/refund-store.server.ts';
import { attemptById, openAlerts } from '../settlement/store.server.ts';
import { storeAttempt } from './sample-attempts.ts';

/** A provider that begins every payment and never sends an event. */
export const quietProvider = (differences: Partial<Provider> = {}): Provider => ({
  name: 'card',
  begin: async ({ id }) =>
    ok({
      providerReference: id,
      checkoutRedirect: { kind: 'link', url: 'https://pay.example/checkout' },
    }),
  ask: async () => 'nothing',
  readReturn: () => null,
  readNotification: async () => ({ kind: 'unverified' }),
  refund: async () => refused({ code: 'refused', message: 'none' }),
  askRefund: async () => 'unknown',
  books: async () => 'unknown',
  ...differences,
});

/** Payments at these providers that cause nothing further. */
export const quietPayments = (...providers: Providers): Payments => ({
  providers,
  onPaid: async () => undefined,
  onRefunded: async () => undefined,
});

/** The amount of each captured attempt, in cents. */
export const CAPTURE = 94_00;

/** Captured attempts, and what tests do with their refunds. */
export function makeRefunds(platform: Platform) {
  const { db } = platform;

  /** A completed attempt that may be refunded. */
  async function captured(state: 'completed' | 'captured_late' = 'completed'): Promise<string> {
    const id = randomUUID();
    const at = platform.now();
    await db.transaction((tx) =>
      storeAttempt(tx, { number: `TRV-${id}`, amountMinor: CAPTURE }, at, {
        id,
        providerReference: `P-${id}`,
        state,
        captureId: `C-${id}`,
        completedAt: state === 'completed' ? at : null,
      }),
    );
    return id;
  }

  const request = (
    attemptId: string,
    minor: number,
    more: { hold?: boolean; requestedBy?: string } = {},
  ) =>
    db.transaction((tx) =>
      requestRefund(tx, {
        attemptId,
        amount: usd(minor),
        reason: 'cancelled',
        requestedBy: 'system',
        at: platform.now(),
        ...more,
      }),
    );

  async function requested(attemptId: string, minor: number): Promise<string> {
    const outcome = await request(attemptId, minor);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.id;
  }

  const attempt = async (id: string) => {
    const found = await attemptById(db, id);
    if (!found) throw new Error('It was stored');
    return found;
  };
  const state = async (id: string) => (await refundById(db, id))?.state;
  const alertsOf = async (attemptId: string) =>
    (await openAlerts(db)).filter((one) => one.attemptId === attemptId).map(({ kind }) => kind);

  return { captured, request, requested, attempt, state, alertsOf };
}

/** A provider that books each refund id once, never more than the capture, and answers as configured. */
export function partner(differences: Partial<Provider> = {}) {
  const books = new Map<string, number>();
  const calls: string[] = [];
  const made = (refundId: string, state: RefundMade['state'] = 'completed'): RefundMade => ({
    providerRefundId: `RF-${refundId}`,
    state,
  });
  const provider = quietProvider({
    refund: async ({ refundId, amount }) => {
      calls.push(refundId);
      books.set(refundId, amount.minor);
      return ok(made(refundId));
    },
    askRefund: async ({ refundId }) => (books.has(refundId) ? made(refundId) : 'unknown'),
    ...differences,
  });
  const done: string[] = [];
  const payments = {
    providers: [provider],
    onRefunded: async (_: unknown, { refundId }: { refundId: string }) => void done.push(refundId),
  };
  return { payments, books, calls, done, made };
}
