import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, text, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { staffRef } from '~/features/staff/tables.server.ts';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { internal, personal, personalTable } from '~/platform/postgres/personal-table.server.ts';
import { proposalStates, sections, twoPeopleSections } from './change.ts';

/**
 * Every decision of an administrator, dated and kept for good. Append-only, by triggers. No personal data but the
 * operator's own.
 */
export const settingChange = personalTable(
  'setting_change',
  {
    about: 'staff',
    purpose: 'to know what was sold and promised when',
    erasure: 'none',
    rows: [
      ['staffId', 'staffIds'],
      ['confirmedBy', 'staffIds'],
    ],
  },
  {
    id: internal(integer().primaryKey().generatedAlwaysAsIdentity()),
    section: personal(text({ enum: sections }).notNull()),
    values: personal(jsonb().$type<Record<string, unknown>>().notNull()),
    validFrom: personal(moment('valid_from').notNull()),
    reason: personal(text().notNull()),
    /** Null for decisions that the service was seeded with. */
    staffId: staffRef('staff_id'),
    /** The second administrator, where the section needs one. */
    confirmedBy: staffRef('confirmed_by'),
    /** Decided by the only administrator there was, because the configuration allows it. */
    alone: internal(boolean().notNull().default(false)),
    createdAt: personal(moment('created_at').notNull()),
    /** The decision that this row withdraws. */
    withdraws: internal(
      integer()
        .unique()
        .references((): AnyPgColumn => settingChange.id),
    ),
  },
  (t) => [
    ...enumChecks(t),
    index('setting_change_section').on(t.section),
    check('setting_change_values', sql`jsonb_typeof(${t.values}) = 'object'`),
    // No decision may be dated back, as that would change what was agreed before.
    check(
      'setting_change_not_backdated',
      sql`${t.validFrom} >= ${t.createdAt} or ${t.staffId} is null`,
    ),
    // Nobody confirms their own.
    check('setting_change_second', sql`${t.confirmedBy} <> ${t.staffId}`),
    // What travellers pay is decided by two; what the service was seeded with by none, and a withdrawal changes nothing.
    check(
      'setting_change_two_people',
      sql`${t.section} not in (${sql.raw(twoPeopleSections.map((one) => `'${one}'`).join(', '))})
        or ${t.confirmedBy} is not null or ${t.alone} or ${t.staffId} is null or ${t.withdraws} is not null`,
    ),
  ],
);

/**
 * What an administrator proposed and another confirms or declines. A confirmed one is a decision; kept for good like
 * those. No personal data.
 */
export const settingProposal = personalTable(
  'setting_proposal',
  {
    about: 'staff',
    purpose: 'to know what was sold and promised when',
    erasure: 'none',
    rows: [
      ['proposedBy', 'staffIds'],
      ['decidedBy', 'staffIds'],
    ],
  },
  {
    id: internal(integer().primaryKey().generatedAlwaysAsIdentity()),
    section: personal(text({ enum: sections }).notNull()),
    values: personal(jsonb().$type<Record<string, unknown>>().notNull()),
    /** Null: as soon as it is confirmed. */
    validFrom: personal(moment('valid_from')),
    reason: personal(text().notNull()),
    /** The section's version that its author saw. */
    seen: internal(text().notNull()),
    proposedBy: staffRef('proposed_by').notNull(),
    createdAt: personal(moment('created_at').notNull()),
    state: personal(text({ enum: proposalStates }).notNull()),
    decidedBy: staffRef('decided_by'),
    decidedAt: personal(moment('decided_at')),
    /** Why it was declined. */
    why: personal(text()),
    changeId: internal(
      integer('change_id')
        .unique()
        .references(() => settingChange.id),
    ),
  },
  (t) => [
    ...enumChecks(t),
    index('setting_proposal_waiting')
      .on(t.section, t.id)
      .where(sql`${t.state} = 'waiting'`),
    check('setting_proposal_values', sql`jsonb_typeof(${t.values}) = 'object'`),
    check(
      'setting_proposal_decided',
      sql`num_nonnulls(${t.decidedBy}, ${t.decidedAt}) = case ${t.state} when 'waiting' then 0 else 2 end`,
    ),
    check(
      'setting_proposal_second',
      sql`case ${t.state} when 'waiting' then true when 'withdrawn' then ${t.decidedBy} = ${t.proposedBy}
        else ${t.decidedBy} <> ${t.proposedBy} end`,
    ),
    check(
      'setting_proposal_why',
      sql`(${t.state} = 'declined') = (coalesce(length(${t.why}), 0) > 0)`,
    ),
    check('setting_proposal_change', sql`(${t.state} = 'confirmed') = (${t.changeId} is not null)`),
  ],
);
