import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  text,
  uniqueIndex,
  uuid,
  pgTable,
  primaryKey,
  bigint,
  boolean,
  date,
  foreignKey,
} from 'drizzle-orm/pg-core';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  withheld,
} from '~/platform/postgres/personal-table.server.ts';
import { initiatorRoles } from './initiator.ts';
import { paymentStates } from './machine.ts';
import { refundStates } from './refund-machine.ts';
import { movementKinds } from './provider.ts';
import type { ReconciliationDifference } from './reconcile/compare.ts';

/** One try to pay one reference at one provider. Never card data; kept 10 years (tax law). */
export const paymentAttempt = personalTable(
  'payment_attempt',
  {
    about: 'payer',
    purpose: 'to take a payment and to give it back',
    kept: ['ledger'],
    erasure: 'emptied',
    rows: [['id', 'attemptIds']],
  },
  {
    id: uuid().primaryKey(),
    /** What is paid: an order's number. */
    reference: personal(text().notNull()),
    amountMinor: personal(integer('amount_minor').notNull()),
    currency: personal(text().notNull()),
    provider: personal(text().notNull()),
    /** The provider's own id of this payment, stored before the browser is sent there. */
    providerReference: personal(text('provider_reference')),
    state: personal(text({ enum: paymentStates }).notNull()),
    /** Whose attempt it is. A payer's attempt contains the payer's name. */
    begunBy: personal(text('begun_by', { enum: initiatorRoles }).notNull()),
    /** Hash of the session of the browser that began it; null without one. Technical. */
    sessionHash: bytes('session_hash'),
    /** The form or link that the browser takes to the provider, sealed; deleted once the attempt is decided. */
    checkoutRedirect: withheld(bytes('checkout_redirect')),
    captureId: personal(text('capture_id')),
    /** Sum of completed refunds. */
    refundedMinor: personal(integer('refunded_minor').notNull().default(0)),
    /** Sum of completed and undecided refunds: each claims its part of the capture. */
    claimedMinor: internal(integer('claimed_minor').notNull().default(0)),
    /** Why it failed or was cancelled: the provider's code. */
    reason: personal(text()),
    createdAt: personal(moment('created_at').notNull()),
    changedAt: personal(moment('changed_at').notNull()),
    /** When the sweep asks the provider next, while undecided. */
    askAt: internal(moment('ask_at')),
    completedAt: personal(moment('completed_at')),
    /** When another amount became due: from then on a capture is refunded and pays nothing. */
    supersededAt: internal(moment('superseded_at')),
    /**
     * When a browser came back from the provider, or had the payment taken, without a result; null again once the provider
     * says that nothing was paid.
     */
    cameBackAt: internal(moment('came_back_at')),
  },
  (t) => [
    ...enumChecks(t),
    index('payment_attempt_reference').on(t.reference, t.createdAt),
    index('payment_attempt_newest').on(t.createdAt, t.id),
    index('payment_attempt_ask')
      .on(t.askAt)
      .where(sql`${t.askAt} is not null`),
    index('payment_attempt_given_back')
      .on(t.id, t.refundedMinor)
      .where(sql`${t.refundedMinor} > 0`),
    // Captures by when they were made: money by partner, and the ledger's file.
    index('payment_attempt_completed_at')
      .on(t.completedAt, t.id)
      .where(sql`${t.completedAt} is not null`),
    index('payment_attempt_late')
      .on(t.id)
      .where(sql`${t.captureId} is not null and ${t.completedAt} is null`),
    uniqueIndex('payment_attempt_provider_reference').on(t.provider, t.providerReference),
    // One capture belongs to one attempt, and one completed attempt pays one order.
    uniqueIndex('payment_attempt_capture').on(t.provider, t.captureId),
    uniqueIndex('payment_attempt_completed')
      .on(t.reference)
      .where(
        sql`${t.state} in ('completed', 'partially_refunded', 'refunded') and ${t.completedAt} is not null`,
      ),
    check('payment_attempt_refund', sql`${t.refundedMinor} between 0 and ${t.amountMinor}`),
    // Refunds, undecided ones included, never exceed the capture.
    check(
      'payment_attempt_claim',
      sql`${t.claimedMinor} between ${t.refundedMinor} and ${t.amountMinor}`,
    ),
  ],
);

/** A refund of part or all of one capture. Kept 10 years (tax law); ids and codes, no personal data. */
export const paymentRefund = personalTable(
  'payment_refund',
  {
    about: 'payer',
    purpose: 'to take a payment and to give it back',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
  },
  {
    /** Also the provider's idempotency key. */
    id: uuid().primaryKey(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => paymentAttempt.id),
    amountMinor: personal(integer('amount_minor').notNull()),
    currency: personal(text().notNull()),
    state: personal(text({ enum: refundStates }).notNull()),
    providerRefundId: personal(text('provider_refund_id')),
    /** The code of the reason, given by whoever asked. */
    reason: personal(text().notNull()),
    /** A staff account's id, or `system`. */
    requestedBy: internal(text('requested_by').notNull()),
    /** Who released or withdrew a held refund. */
    releasedBy: internal(text('released_by')),
    requestedAt: personal(moment('requested_at').notNull()),
    releasedAt: internal(moment('released_at')),
    sentAt: personal(moment('sent_at')),
    /** Completed, failed or withdrawn. */
    decidedAt: personal(moment('decided_at')),
    changedAt: internal(moment('changed_at').notNull()),
    /** When the sweep looks at it next, while undecided. */
    askAt: internal(moment('ask_at')),
    /** The provider's message about a failure. */
    failure: personal(text()),
  },
  (t) => [
    ...enumChecks(t),
    index('payment_refund_attempt').on(t.attemptId),
    index('payment_refund_ask')
      .on(t.askAt)
      .where(sql`${t.askAt} is not null`),
    index('payment_refund_held')
      .on(t.requestedAt)
      .where(sql`${t.state} = 'held'`),
    index('payment_refund_automatic')
      .on(t.requestedAt)
      .where(sql`${t.requestedBy} = 'system'`),
    index('payment_refund_completed')
      .on(t.decidedAt, t.id)
      .where(sql`${t.state} = 'completed'`),
    uniqueIndex('payment_refund_provider').on(t.attemptId, t.providerRefundId),
    // Staff search for the provider's id of a refund.
    index('payment_refund_partner_id')
      .on(t.providerRefundId)
      .where(sql`${t.providerRefundId} is not null`),
    check('payment_refund_amount', sql`${t.amountMinor} > 0`),
    check(
      'payment_refund_decided',
      sql`(${t.state} in ('completed', 'failed', 'withdrawn')) = (${t.decidedAt} is not null)`,
    ),
    check(
      'payment_refund_asked',
      sql`(${t.state} in ('requested', 'sent', 'pending')) = (${t.askAt} is not null)`,
    ),
    // Nobody releases their own.
    check(
      'payment_refund_released',
      sql`${t.state} = 'withdrawn' or ${t.releasedBy} <> ${t.requestedBy}`,
    ),
  ],
);

/** Inbox: every event of a provider once, however often and in which order it was delivered. */
export const paymentEvent = personalTable(
  'payment_event',
  {
    about: 'payer',
    purpose: 'to take a payment and to give it back: what the payment partner signed, as evidence',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
  },
  {
    id: uuid().primaryKey(),
    provider: personal(text().notNull()),
    eventId: internal(text('event_id').notNull()),
    attemptId: uuid('attempt_id').references(() => paymentAttempt.id),
    event: personal(text().notNull()),
    payload: personal(jsonb().notNull()),
    receivedAt: personal(moment('received_at').notNull()),
    /** `moved`, `ignored`, `refused`, or why it changed nothing. */
    result: personal(text().notNull()),
  },
  (t) => [
    uniqueIndex('payment_event_once').on(t.provider, t.eventId),
    index('payment_event_attempt').on(t.attemptId),
  ],
);

/** Something about money that staff must look at. */
export const paymentAlert = personalTable(
  'payment_alert',
  {
    about: 'payer',
    purpose: 'to look at what is wrong with a payment',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
  },
  {
    id: uuid().primaryKey(),
    kind: personal(
      text({
        enum: [
          'wrong_amount',
          'capture_reused',
          'unknown_reference',
          'paid_twice',
          // A capture of an amount that was no longer due, because the order had changed: refunded automatically.
          'superseded_paid',
          // A payment for an order that staff had closed: staff must refund it.
          'closed_order_paid',
          'refund_failed',
          // A provider accepted a payment and did not decide it for a day.
          'pending_long',
          // Five starts in a row failed at one partner, see `outage/`.
          'partner_down',
          // A refund that we did not ask for, made at the provider.
          'unknown_refund',
          // The payer's bank asks for a capture's money back: staff must answer at the provider.
          'disputed',
          // The daily comparison with a provider's books, see `reconcile/`.
          'books_missing_there',
          'books_missing_here',
          'books_amount',
          'books_capture_id',
          'books_refund_amount',
          'books_no_answer',
        ],
      }).notNull(),
    ),
    attemptId: uuid('attempt_id').references(() => paymentAttempt.id),
    detail: personal(jsonb().notNull()),
    raisedAt: personal(moment('raised_at').notNull()),
    /** A key under which it is raised once, also after it was resolved. */
    once: internal(text().unique()),
    resolvedAt: personal(moment('resolved_at')),
    /** A staff account's id. */
    resolvedBy: staffRef('resolved_by'),
    /** What was done about it, as the person who resolved it wrote. */
    resolution: personal(text()),
  },
  (t) => enumChecks(t),
);

/**
 * Failed starts of payments at each provider, for all processes together. No personal data; one row for each provider,
 * kept as long as the service.
 */
export const paymentPartner = pgTable(
  'payment_partner',
  {
    provider: text().primaryKey(),
    /** Consecutive failed starts since the last success. */
    failures: integer().notNull().default(0),
    lastFailureAt: moment('last_failure_at'),
    /** Since when it counts as down; null while it does not. */
    downSince: moment('down_since'),
  },
  (t) => [check('payment_partner_failures', sql`${t.failures} >= 0`)],
);

/**
 * When a verified notification of each provider last arrived, to within a minute. No personal data; one row for each
 * address of a provider, kept as long as the service.
 */
export const paymentNotification = pgTable(
  'payment_notification',
  {
    provider: text().notNull(),
    /** Where the provider answered us then: what its sandbox sent proves nothing about its live address. */
    endpoint: text().notNull(),
    heardAt: moment('heard_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.endpoint] })],
);

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
    differences: internal(jsonb().$type<ReconciliationDifference[]>().notNull()),
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
