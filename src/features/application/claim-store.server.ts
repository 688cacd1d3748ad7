import { and, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { application, applicationCorrection, deskClaim, deskLook } from './tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

export type Claim = typeof deskClaim.$inferSelect;

/** The applications that a person has claimed. They are few, so they are looked up first. */
export const isClaimedBySql = (staffId: string, now: Date): SQL =>
  sql`${application.id} = any(array(select ${deskClaim.applicationId} from ${deskClaim}
    where ${and(eq(deskClaim.staffId, staffId), gt(deskClaim.expiresAt, now))}))`;

/** The valid claims on some applications. */
export async function validClaims(
  db: Queryable,
  applicationIds: string[],
  now: Date,
): Promise<Map<string, Claim>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(deskClaim)
    .where(and(inArray(deskClaim.applicationId, applicationIds), gt(deskClaim.expiresAt, now)));
  return new Map(rows.map((row) => [row.applicationId, row]));
}

/**
 * Claims an application, or extends one's own claim. Somebody else's valid claim stays, unless `takeOver`; of two at
 * once one succeeds. `assignedBy`: who gives it to them; an assignment that holds is neither shortened nor ended by its
 * owner's work. Returns whose claim it is then.
 */
export async function takeClaim(
  tx: Queryable,
  wanted: {
    applicationId: string;
    staffId: string;
    now: Date;
    expiresAt: Date;
    assignedBy?: string | null;
    takeOver?: boolean;
  },
): Promise<Claim> {
  const { now, takeOver = false, assignedBy = null, ...values } = wanted;
  const isOwn = sql`${deskClaim.staffId} = excluded.staff_id and ${deskClaim.expiresAt} > ${now.toISOString()}::timestamptz`;
  const isKept = sql`${isOwn} and ${deskClaim.assignedBy} is not null and excluded.assigned_by is null`;
  const [taken] = await tx
    .insert(deskClaim)
    .values({ ...values, assignedBy, claimedAt: now })
    .onConflictDoUpdate({
      target: deskClaim.applicationId,
      set: {
        staffId: values.staffId,
        expiresAt: sql`case when ${isKept}
          then greatest(${deskClaim.expiresAt}, excluded.expires_at) else excluded.expires_at end`,
        assignedBy: sql`case when ${isKept} then ${deskClaim.assignedBy} else excluded.assigned_by end`,
        claimedAt: sql`case when ${isOwn} then ${deskClaim.claimedAt} else excluded.claimed_at end`,
      },
      setWhere: takeOver
        ? undefined
        : or(eq(deskClaim.staffId, values.staffId), lt(deskClaim.expiresAt, now)),
    })
    .returning();
  if (taken) return taken;
  const [held] = await tx
    .select()
    .from(deskClaim)
    .where(eq(deskClaim.applicationId, wanted.applicationId));
  // Given back between the two statements: try again.
  return held ?? takeClaim(tx, wanted);
}

/** Ends the claim on an application, whoever has it. */
export async function dropClaim(db: Queryable, applicationId: string): Promise<void> {
  await db.delete(deskClaim).where(eq(deskClaim.applicationId, applicationId));
}

/** Gives back one's own claim on an application; what was assigned stays. */
export async function dropOwnClaim(
  db: Queryable,
  { applicationId, staffId }: { applicationId: string; staffId: string },
): Promise<void> {
  await db
    .delete(deskClaim)
    .where(
      and(
        eq(deskClaim.applicationId, applicationId),
        eq(deskClaim.staffId, staffId),
        isNull(deskClaim.assignedBy),
      ),
    );
}

/** What nobody else has claimed. */
export const isUnclaimedSql = (staffId: string, now: Date): SQL =>
  sql`not exists (select 1 from ${deskClaim} where ${and(
    eq(deskClaim.applicationId, application.id),
    gt(deskClaim.expiresAt, now),
    ne(deskClaim.staffId, staffId),
  )})`;

/** Deletes claims that have ended. */
export async function deleteClaims(db: Queryable, before: Date): Promise<void> {
  await db.delete(deskClaim).where(lt(deskClaim.expiresAt, before));
}

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
export const isUnseenSql = ({ staffId, since }: { staffId: string; since: Date }): SQL =>
  sql`not exists (select 1 from ${deskLook} where ${and(
    eq(deskLook.applicationId, application.id),
    eq(deskLook.staffId, staffId),
    gt(deskLook.at, since),
    sql`${deskLook.at} >= all (select ${applicationCorrection.answeredAt} from ${applicationCorrection}
      where ${applicationCorrection.applicationId} = ${application.id} and ${applicationCorrection.answeredAt} is not null)`,
  )})`;

/** A person begins to look at everything anew. */
export async function deleteStaffLooks(db: Queryable, staffId: string): Promise<void> {
  await db.delete(deskLook).where(eq(deskLook.staffId, staffId));
}

/** An application stands in another list of work, where nobody has looked at it. */
export async function deleteApplicationLooks(db: Queryable, applicationId: string): Promise<void> {
  await db.delete(deskLook).where(eq(deskLook.applicationId, applicationId));
}

/** Deletes looks that count no longer. */
export async function deleteLooks(db: Queryable, now: Date): Promise<void> {
  await db.delete(deskLook).where(lt(deskLook.at, new Date(now.getTime() - LOOK_MS)));
}
