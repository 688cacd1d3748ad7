import { sql, type SQL } from 'drizzle-orm';

/** From a moment to the one before its end. */
export type Span = { readonly from: Date; readonly to: Date };

export const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/** From the first moment of the span to the last before its end. */
export const within = (at: SQL, { from, to }: Span): SQL =>
  sql`${at} >= ${moment(from)} and ${at} < ${moment(to)}`;
