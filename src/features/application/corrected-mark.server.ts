import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { isWaitingSql } from './queue-sql.server.ts';
import { application, applicationCorrection } from './tables.server.ts';

/** Answered, and not checked, asked again or decided since. */
const isUnchecked = and(
  isNotNull(applicationCorrection.answeredAt),
  isNull(applicationCorrection.checkedAt),
);

/** The applications with such an answer; they are few, and have an index of their own. */
export const uncheckedAnswersSql: SQL = sql`select ${applicationCorrection.applicationId} from ${applicationCorrection}
  where ${isUnchecked}`;

/** The number of those that wait for staff. */
export const correctedWaitingSql: SQL = sql`select count(*) from ${application}
  where ${application.id} = any(array(${uncheckedAnswersSql})) and ${isWaitingSql(application)}`;

/** Ends the mark "corrected" of an application; false where it had none. */
export async function markAnswersChecked(
  db: Queryable,
  applicationId: string,
  at: Date,
): Promise<boolean> {
  const rows = await db
    .update(applicationCorrection)
    .set({ checkedAt: at })
    .where(and(eq(applicationCorrection.applicationId, applicationId), isUnchecked))
    .returning({ id: applicationCorrection.id });
  return rows.length > 0;
}
