import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { moment } from '~/platform/postgres/columns.server.ts';

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
