import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { moment } from '~/platform/postgres/columns.server.ts';

/**
 * How the starts of payments fare at each payment partner, for all processes together. No personal data; one row for
 * each partner, kept as long as the service.
 */
export const paymentPartner = pgTable(
  'payment_partner',
  {
    provider: text().primaryKey(),
    /** Starts that failed one after the other, since the last one that succeeded. */
    failures: integer().notNull().default(0),
    lastFailureAt: moment('last_failure_at'),
    /** Since when it counts as down; null while it answers. */
    downSince: moment('down_since'),
  },
  (t) => [check('payment_partner_failures', sql`${t.failures} >= 0`)],
);
