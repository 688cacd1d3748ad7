/** Tables of which processes keep rows in memory. A trigger on each notifies every process of a change, by its name. */
export const watchedTables = [
  'setting_change',
  'country',
  'payment_partner',
  'desk_view',
  'staff_account',
] as const;

/**
 * What processes notify one another of: a changed table, or a limit that was reset. That one is notified by the
 * statement that resets it; a trigger would fire at every request that is counted.
 */
export type Topic = (typeof watchedTables)[number] | 'rate_limit';

/** The channel of `notify`; the payload is the topic. The triggers of the migrations name it, too. */
export const CHANNEL = 'lale_invalidate';
