import { sql } from 'drizzle-orm';
import { check, date, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { regimes, type Country } from './regime.ts';

/**
 * Nationalities and their terms when they were seeded; later decisions are dated settings. Public facts, kept for good.
 */
export const country = pgTable(
  'country',
  {
    /** Three letters: ISO 3166, or the passport's nationality code (GBN, XKX). */
    code: text().primaryKey(),
    iso2: text(),
    /** In English; other languages are in `locales`. */
    name: text().notNull(),
    regime: text({ enum: regimes }).notNull(),
    maxStayDays: smallint('max_stay_days'),
    entries: text({ enum: ['single', 'multiple'] }),
    /** What documents other than ordinary passports are granted. */
    others: jsonb().$type<NonNullable<Country['others']>>().notNull().default({}),
    /** For the desk alone: conflicts between sources, what to confirm. */
    note: text().notNull().default(''),
    source: text().notNull().default(''),
    /** The day on which the facts were last compared with their source. */
    checkedOn: date('checked_on').$type<Country['checkedOn']>().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    ...enumChecks(t),
    check('country_code', sql`${t.code} ~ '^[A-Z]{3}$'`),
    // A check constraint passes on null, hence the coalesce.
    check('country_stay', sql`coalesce(${t.maxStayDays} > 0, ${t.regime} = 'no_evisa')`),
    check(
      'country_evisa',
      sql`(${t.entries} is not null) = (${t.regime} in ('evisa', 'evisa_with_document'))`,
    ),
  ],
);
