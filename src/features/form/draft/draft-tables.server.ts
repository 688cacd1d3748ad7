import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from '~/platform/postgres/columns.server.ts';

/**
 * The tables of one kind of form (`visa_draft`, …). Personal throughout: answers are sealed, and deleted 30 days after
 * the last change.
 */
export function draftTables(form: string) {
  const draft = pgTable(
    `${form}_draft`,
    {
      id: uuid().primaryKey(),
      answers: bytes().notNull(),
      /** Raised with every change, so that a second tab cannot overwrite the first unnoticed. */
      version: integer().notNull(),
      language: text().notNull(),
      createdAt: moment('created_at').notNull(),
      expiresAt: moment('expires_at').notNull(),
      /** The application's number once submitted; the answers are deleted then. */
      applicationNumber: text('application_number'),
      /** The number of an unpaid application that was opened again and will be changed by these answers. */
      changing: text(),
    },
    (t) => [index(`${form}_draft_expiry`).on(t.expiresAt)],
  );

  /**
   * A browser that may open a draft: it has the token, we store its hash. `ended_at`: since when it may no longer,
   * because a link that was sent by email opened the draft elsewhere.
   */
  const device = pgTable(
    `${form}_draft_device`,
    {
      tokenHash: bytes('token_hash').primaryKey(),
      draftId: uuid('draft_id')
        .notNull()
        .references(() => draft.id, { onDelete: 'cascade' }),
      createdAt: moment('created_at').notNull(),
      endedAt: moment('ended_at'),
    },
    (t) => [index(`${form}_draft_device_draft`).on(t.draftId)],
  );

  /** A link that opens a draft on another device, and on that one alone: single use, 28 days. */
  const link = pgTable(`${form}_draft_link`, {
    tokenHash: bytes('token_hash').primaryKey(),
    draftId: uuid('draft_id')
      .notNull()
      .references(() => draft.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  });

  return { draft, device, link };
}

export type DraftTables = ReturnType<typeof draftTables>;
