import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
} from '~/platform/postgres/personal-table.server.ts';
import { forms } from './draft/draft-content.ts';

/** Travellers who apply together, a draft each, and pay one order. Deleted with the last of its drafts. */
export const draftParty = pgTable('draft_party', {
  id: uuid().primaryKey(),
  /**
   * The position of the next traveller. A removed one leaves a gap, so that a page that is still open never writes to
   * another's draft.
   */
  nextPosition: integer('next_position').notNull(),
});

/** Answers that are not submitted yet. Personal throughout: they are sealed, and deleted 30 days after the last change. */
export const draft = personalTable(
  'draft',
  {
    about: 'draft',
    purpose: 'to go on with an application that was begun',
    kept: ['draft'],
    rows: [
      ['id', 'draftIds'],
      ['applicationNumber', 'numbers'],
    ],
  },
  {
    id: uuid().primaryKey(),
    form: personal(text({ enum: forms }).notNull()),
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
    /** Travellers who apply together. A browser that may open one of their drafts may open all. */
    partyId: uuid('party_id').references(() => draftParty.id),
    /** Which traveller of the party, from 1. */
    position: personal(integer()),
  },
  (t) => [
    ...enumChecks(t),
    index('draft_expiry').on(t.expiresAt),
    unique('draft_party_position').on(t.partyId, t.position),
    check('draft_place', sql`(${t.partyId} is null) = (${t.position} is null)`),
  ],
);

/**
 * A browser that may open a draft: it has the token, we store its hash. `ended_at`: since when it may no longer,
 * because a link that was sent by email opened the draft elsewhere.
 */
export const draftDevice = personalTable(
  'draft_device',
  {
    about: 'draft',
    purpose: 'to let a browser open what it began',
    kept: ['draft'],
    rows: [['draftId', 'draftIds']],
  },
  {
    tokenHash: bytes('token_hash').primaryKey(),
    draftId: uuid('draft_id')
      .notNull()
      .references(() => draft.id, { onDelete: 'cascade' }),
    createdAt: personal(moment('created_at').notNull()),
    endedAt: personal(moment('ended_at')),
  },
  (t) => [index('draft_device_draft').on(t.draftId)],
);

/** A link that opens a draft on another device, and on that one alone: single use, 28 days. */
export const draftLink = personalTable(
  'draft_link',
  {
    about: 'draft',
    purpose: 'to go on with an application on another device',
    kept: ['draft'],
    rows: [['draftId', 'draftIds']],
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
