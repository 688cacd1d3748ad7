import { index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
} from '~/platform/postgres/personal-table.server.ts';

/**
 * The tables of one kind of form (`visa_draft`, …). Personal throughout: answers are sealed, and deleted 30 days after
 * the last change.
 */
export function draftTables(form: 'visa' | 'insurance') {
  const draft = personalTable(
    `${form}_draft`,
    {
      about: 'draft',
      purpose: 'to go on with an application that was begun',
      kept: [`${form}Draft`],
      rows: [
        ['id', `${form}DraftIds`],
        ['applicationNumber', 'numbers'],
      ],
    },
    {
      id: uuid().primaryKey(),
      answers: sealed(bytes().notNull()),
      /** Raised with every change, so that a second tab cannot overwrite the first unnoticed. */
      version: internal(integer().notNull()),
      language: personal(text().notNull()),
      createdAt: personal(moment('created_at').notNull()),
      expiresAt: personal(moment('expires_at').notNull()),
      /** The application's number once submitted; the answers are deleted then. */
      applicationNumber: personal(text('application_number')),
      /** The number of an unpaid application that was opened again and will be changed by these answers. */
      changing: personal(text()),
    },
    (t) => [index(`${form}_draft_expiry`).on(t.expiresAt)],
  );

  /**
   * A browser that may open a draft: it has the token, we store its hash. `ended_at`: since when it may no longer,
   * because a link that was sent by email opened the draft elsewhere.
   */
  const device = personalTable(
    `${form}_draft_device`,
    {
      about: 'draft',
      purpose: 'to let a browser open what it began',
      kept: [`${form}Draft`],
      rows: [['draftId', `${form}DraftIds`]],
    },
    {
      tokenHash: bytes('token_hash').primaryKey(),
      draftId: uuid('draft_id')
        .notNull()
        .references(() => draft.id, { onDelete: 'cascade' }),
      createdAt: personal(moment('created_at').notNull()),
      endedAt: personal(moment('ended_at')),
    },
    (t) => [index(`${form}_draft_device_draft`).on(t.draftId)],
  );

  /** A link that opens a draft on another device, and on that one alone: single use, 28 days. */
  const link = personalTable(
    `${form}_draft_link`,
    {
      about: 'draft',
      purpose: 'to go on with an application on another device',
      kept: [`${form}Draft`],
      rows: [['draftId', `${form}DraftIds`]],
    },
    {
      tokenHash: bytes('token_hash').primaryKey(),
      draftId: uuid('draft_id')
        .notNull()
        .references(() => draft.id, { onDelete: 'cascade' }),
      createdAt: personal(moment('created_at').notNull()),
      expiresAt: personal(moment('expires_at').notNull()),
      usedAt: personal(moment('used_at')),
    },
  );

  return { draft, device, link };
}

export type DraftTables = ReturnType<typeof draftTables>;
