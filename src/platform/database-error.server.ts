import pg from 'pg';

/** What PostgreSQL says went wrong, out of Drizzle's wrapping (whose message holds the parameters). */
export function databaseErrorOf(error: unknown): pg.DatabaseError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError) return cause;
  }
  return undefined;
}

/** Whether a statement failed on a unique constraint or index, on this one if named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = databaseErrorOf(error);
  return cause?.code === '23505' && (constraint === undefined || cause.constraint === constraint);
}
