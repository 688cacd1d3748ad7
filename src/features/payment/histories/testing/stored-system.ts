import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { usd } from '~/base/money.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { TestPlatform } from '../../../../../test/platform.ts';
import { begin } from '../../settlement/begin.server.ts';
import type { Payments } from '../../settlement/context.server.ts';
import { paymentStates } from '../../machine.ts';
import { isMoving, refundStates } from '../../refund-machine.ts';
import { requestRefund } from '../../settlement/refund-request.server.ts';
import { refundsOf } from '../../settlement/refund-store.server.ts';
import { advanceRefund } from '../../settlement/refund.server.ts';
import { settle } from '../../settlement/settle.server.ts';
import { attemptsFor } from '../../settlement/store.server.ts';
import { sweep, sweepRefunds } from '../../settlement/sweep.server.ts';
import { PRICE, type Partner } from './partner.ts';
import type { Sight, System } from './system.ts';
import { somePayer } from '../../../../../test/browser.ts';

/** A condition that always holds: the amount is always due. */
const ALWAYS = { query: sql`select 1`, values: {} };

/** The real functions on the database, for one order. Events that matched nothing are recorded by the test. */
export function storedSystem(
  platform: TestPlatform,
  { onPaid, onRefunded }: Payments,
  order: Order,
  { provider }: Partner,
): System {
  const { db } = platform;
  const payments: Payments = { providers: [provider], onPaid, onRefunded };
  const unplaced = new Map<string, { eventId: string; attemptId: null; result: string }>();
  /** Cached until the next change. */
  let seen: Sight | null = null;

  return {
    async start() {
      seen = null;
      await begin(platform, provider, {
        reference: order.number,
        amount: usd(PRICE),
        description: order.number,
        language: 'en',
        returnLanguage: null,
        customer: { name: 'S', email: 's@example.org', address: '192.0.2.1' },
        by: somePayer,
        due: ALWAYS,
      });
    },
    async deliver(word) {
      seen = null;
      const { kind } = await settle(platform, provider.name, word, onPaid);
      const { eventId } = word;
      if (kind === 'unknown_reference') {
        unplaced.set(eventId, { eventId, attemptId: null, result: kind });
      }
      return kind;
    },
    async wait(minutes) {
      seen = null;
      platform.clock.advance(minutes * 60_000);
      await sweep(platform, payments.providers, onPaid);
      await sweepRefunds(platform, payments);
    },
    async refund(attemptId, minor) {
      seen = null;
      const outcome = await db.transaction((tx) =>
        requestRefund(tx, {
          attemptId,
          amount: usd(minor),
          reason: 'cancelled',
          requestedBy: 'system',
          at: platform.now(),
        }),
      );
      return outcome.ok;
    },
    async sendRefunds() {
      seen = null;
      const attempts = await attemptsFor(db, order.number);
      const ids = attempts.map(({ id }) => id);
      for (const { id, state } of await refundsOf(db, ids)) {
        // A refund without an answer is retried at the next step, as its job would be.
        if (isMoving(state)) await advanceRefund(platform, payments, id).catch(() => undefined);
      }
    },
    look: async () => (seen ??= await look(db, order.number, [...unplaced.values()])),
  };
}

const seenAttempt = z.object({
  id: z.string(),
  state: z.enum(paymentStates),
  captureId: z.string().nullable(),
  isCompleted: z.boolean(),
  refundedMinor: z.number(),
  claimedMinor: z.number(),
});

const row = z.object({
  paidBy: z.string().nullable(),
  attempts: z.array(seenAttempt).nullable(),
  inbox: z
    .array(z.object({ eventId: z.string(), attemptId: z.string(), result: z.string() }))
    .nullable(),
  refunds: z.array(z.object({ state: z.enum(refundStates) })).nullable(),
});

/** One statement, because it runs after every step. */
async function look(db: Database, number: string, unplaced: Sight['inbox']): Promise<Sight> {
  const { rows } = await db.execute(sql`
    with a as (select * from payment_attempt where reference = ${number} order by created_at, id)
    select (select paid_by from purchase_order where number = ${number}) as "paidBy",
      (select json_agg(json_build_object('id', id, 'state', state, 'captureId', capture_id,
         'isCompleted', completed_at is not null, 'refundedMinor', refunded_minor,
         'claimedMinor', claimed_minor)) from a) as attempts,
      (select json_agg(json_build_object('eventId', event_id, 'attemptId', attempt_id, 'result', result)
         order by received_at, event_id) from payment_event where attempt_id in (select id from a)) as inbox,
      (select json_agg(json_build_object('state', state))
         from payment_refund where attempt_id in (select id from a)) as refunds`);
  const { paidBy, attempts, inbox, refunds } = row.parse(rows[0]);
  return {
    attempts: attempts ?? [],
    paidBy,
    inbox: [...(inbox ?? []), ...unplaced],
    movingRefunds: (refunds ?? []).filter(({ state }) => isMoving(state)).length,
    failedRefunds: (refunds ?? []).filter(({ state }) => state === 'failed').length,
  };
}
