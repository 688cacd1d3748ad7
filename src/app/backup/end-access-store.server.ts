import { and, gt, isNull } from 'drizzle-orm';
import { staffInvitation, staffReset, staffSession } from '~/features/staff/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

export type EndedAccess = { sessions: number; invitations: number; resets: number };

/**
 * Ends all sessions, invitations and password links of staff: one that was ended after a backup would be back with it.
 * Returns how many had neither ended nor expired.
 */
export async function endAccess(db: Queryable, now: Date): Promise<EndedAccess> {
  const ended = [];
  for (const table of [staffSession, staffInvitation, staffReset]) {
    const rows = await db
      .update(table)
      .set({ endedAt: now })
      .where(and(isNull(table.endedAt), gt(table.expiresAt, now)))
      .returning({ id: table.id });
    ended.push(rows.length);
  }
  const [sessions = 0, invitations = 0, resets = 0] = ended;
  return { sessions, invitations, resets };
}
