import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { sections } from './change.ts';

/**
 * Every decision of an administrator, dated and kept for good. Append-only, by triggers. No personal data but the
 * operator's own.
 */
export const settingChange = pgTable(
  'setting_change',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    section: text({ enum: sections }).notNull(),
    values: jsonb().$type<Record<string, unknown>>().notNull(),
    validFrom: moment('valid_from').notNull(),
    reason: text().notNull(),
    /** Null for decisions that the service was seeded with. */
    staffId: uuid('staff_id').references(() => staffAccount.id),
    createdAt: moment('created_at').notNull(),
    /** The decision that this row withdraws. */
    withdraws: integer()
      .unique()
      .references((): AnyPgColumn => settingChange.id),
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
  ],
);
