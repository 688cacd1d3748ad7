import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';

/** PostgreSQL's own error, taken out of Drizzle's, whose message holds the parameters. */
export function findDatabaseError(error: unknown): pg.DatabaseError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError) return cause;
  }
  return undefined;
}

/** Lost connections, too many of them, a server that stops or starts, and one that became a standby (SQLSTATE). */
const AWAY = /^(08|53|57P0[1-3]|25006)/;
/** What the driver and the network say of a connection that broke; they have no SQLSTATE. */
const BROKEN = /^(Connection terminated|Client has encountered a connection error)/;
const BROKEN_CODES: readonly unknown[] = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'];

/**
 * Whether a statement failed because its connection, or the database, was lost. Whether a COMMIT was done is not known
 * then, so what is sent again must do no harm when it is done twice.
 */
export function isDatabaseLost(error: unknown): boolean {
  const code = findDatabaseError(error)?.code;
  if (code !== undefined) return AWAY.test(code);
  let isOfDatabase = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (BROKEN.test(cause.message)) return true;
    // Partners and mail servers break connections, too.
    if (isOfDatabase && 'code' in cause && BROKEN_CODES.includes(cause.code)) return true;
    isOfDatabase ||= cause instanceof DrizzleQueryError;
  }
  return false;
}
