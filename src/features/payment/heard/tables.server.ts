import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '~/platform/postgres/columns.server.ts';

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
