import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { paymentAttempt } from '../settlement/tables.server.ts';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { internal, personal, personalTable } from '~/platform/postgres/personal-table.server.ts';
import { movementKinds } from '../provider.ts';
import type { Difference } from './compare.ts';

/**
 * The report of one UTC day and one provider. A rerun replaces it. Kept 10 years, like the ledger; no personal data.
 */
export const reconciliation = pgTable(
  'reconciliation',
  {
    day: date().notNull(),
    provider: text().notNull(),
    startedAt: moment('started_at').notNull(),
    /** Null while the provider has not answered all questions: the report then makes no statement. */
    finishedAt: moment('finished_at'),
    attempts: integer().notNull(),
    unanswered: integer().notNull(),
    /** Number of attempts that differ. */
    differing: integer().notNull(),
    /** Captured that day, by our ledger. */
    capturedMinor: integer('captured_minor').notNull(),
    refundedMinor: integer('refunded_minor').notNull(),
    /** What the provider kept that day, by its books; null where they do not say, or not in our currency. */
    feesMinor: integer('fees_minor'),
  },
  (t) => [primaryKey({ columns: [t.day, t.provider] })],
);

/** One compared attempt of a report. */
export const reconciliationRow = personalTable(
  'reconciliation_row',
  {
    about: 'payer',
    purpose: 'accounts and tax',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
  },
  {
    day: personal(date().notNull()),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => paymentAttempt.id),
    provider: personal(text().notNull()),
    /** The order's number. */
    reference: personal(text().notNull()),
    state: personal(text().notNull()),
    /** Captured that day. */
    capturedMinor: personal(integer('captured_minor').notNull()),
    refundedMinor: personal(integer('refunded_minor').notNull()),
    /** Our ledger's figures when it was compared. */
    ourCapturedMinor: internal(integer('our_captured_minor')),
    ourRefundedMinor: internal(integer('our_refunded_minor').notNull()),
    ourRefundingMinor: internal(integer('our_refunding_minor').notNull()),
    /** The provider's figures; null where it does not know the attempt, or did not answer. */
    theirCapturedMinor: internal(integer('their_captured_minor')),
    theirCaptureId: internal(text('their_capture_id')),
    theirRefundedMinor: internal(integer('their_refunded_minor')),
    differences: internal(jsonb().$type<Difference[]>().notNull()),
    differs: internal(boolean().notNull()),
    /** The run settled what was missing here. */
    settled: internal(boolean().notNull()),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.attemptId] }),
    foreignKey({
      columns: [t.day, t.provider],
      foreignColumns: [reconciliation.day, reconciliation.provider],
    }),
    index('reconciliation_row_report').on(t.day, t.provider, t.attemptId),
  ],
);

/**
 * A line of a provider's own balance for us, as its books said when a day was compared: fees, payouts and disputes are
 * known from here alone. Kept 10 years, like the ledger; no personal data.
 */
export const paymentMovement = pgTable(
  'payment_movement',
  {
    provider: text().notNull(),
    /** The provider's own id. */
    id: text().notNull(),
    kind: text({ enum: movementKinds }).notNull(),
    at: moment().notNull(),
    captureId: text('capture_id'),
    /** The provider's id of the refund. */
    refundId: text('refund_id'),
    /** Before the fee, below zero where it left the balance; null in a currency that is not ours. */
    amountMinor: bigint('amount_minor', { mode: 'number' }),
    /** What the provider kept; below zero where it gave some back. */
    feeMinor: integer('fee_minor'),
    readAt: moment('read_at').notNull(),
  },
  (t) => [
    ...enumChecks(t),
    primaryKey({ columns: [t.provider, t.id] }),
    index('payment_movement_at').on(t.at, t.provider, t.id),
    index('payment_movement_capture').on(t.provider, t.captureId),
  ],
);
