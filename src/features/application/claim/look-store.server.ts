import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { application, applicationCorrection } from '../tables.server.ts';
import { deskLook } from './tables.server.ts';

/** Milliseconds for which taking the next one passes over what somebody looked at without deciding. */
export const LOOK_MS = 2 * 3600_000;

/** Somebody of the staff looks at an application, or passes it over. */
export async function storeLook(
  db: Queryable,
  { applicationId, staffId, at }: { applicationId: string; staffId: string; at: Date },
): Promise<void> {
  await db
    .insert(deskLook)
    .values({ applicationId, staffId, at })
    .onConflictDoUpdate({ target: [deskLook.applicationId, deskLook.staffId], set: { at } });
}

/**
 * What a person has not looked at since a moment, nor since its traveller answered a correction: what is new comes again.
 */
export const notLookedAt = ({ staffId, since }: { staffId: string; since: Date }): SQL =>
  sql`not exists (select 1 from ${deskLook} where ${and(
    eq(deskLook.applicationId, application.id),
    eq(deskLook.staffId, staffId),
    gt(deskLook.at, since),
    sql`${deskLook.at} >= all (select ${applicationCorrection.answeredAt} from ${applicationCorrection}
      where ${applicationCorrection.applicationId} = ${application.id} and ${applicationCorrection.answeredAt} is not null)`,
  )})`;

/** A person begins to look at everything anew. */
export async function forgetLooks(db: Queryable, staffId: string): Promise<void> {
  await db.delete(deskLook).where(eq(deskLook.staffId, staffId));
}

/** Deletes looks that count no longer. */
export async function deleteLooks(db: Queryable, now: Date): Promise<void> {
  await db.delete(deskLook).where(lt(deskLook.at, new Date(now.getTime() - LOOK_MS)));
}
