import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { nextFree, takeClaim } from './claim-store.server.ts';

/** An application that is looked at is its looker's so long; every look and every action begins anew. */
export const CLAIM_MS = 10 * 60_000;

type Claiming = Pick<Platform, 'db' | 'now'>;

/** Who is at work on an application. `name`: of somebody else; null for oneself. */
export type Holder = { name: string | null; until: Date };

/** Opens an application: it becomes one's own for ten minutes, unless somebody else is at work on it. */
export async function claim(
  { db, now }: Claiming,
  staff: Staff,
  applicationId: string,
  { takeOver = false } = {},
): Promise<Holder> {
  const at = now();
  const taken = await db.transaction(async (tx) => {
    const wanted = {
      applicationId,
      staffId: staff.id,
      now: at,
      expiresAt: new Date(at.getTime() + CLAIM_MS),
    };
    const held = await takeClaim(tx, { ...wanted, takeOver });
    if (takeOver) {
      const subject = { kind: 'application', id: applicationId } as const;
      await audit(tx, { at, staffId: staff.id, action: 'claim_taken_over', subject });
    }
    return held;
  });
  if (taken.staffId === staff.id) return { name: null, until: taken.expiresAt };
  const names = await staffNames(db, [taken.staffId]);
  return { name: names.get(taken.staffId) ?? '?', until: taken.expiresAt };
}

/**
 * The most urgent paid application that is nobody else's, claimed; two who ask at once get two. `not`: the one that was
 * just looked at. Null where there is nothing left to do.
 */
export async function claimNext(
  { db, now }: Claiming,
  staff: Staff,
  { kind, not }: { kind: 'visa' | 'insurance'; not: string | null },
): Promise<string | null> {
  const at = now();
  for (;;) {
    const found = await db.transaction(async (tx) => {
      const free = await nextFree(tx, { kind, staffId: staff.id, now: at, not });
      if (!free) return null;
      const expiresAt = new Date(at.getTime() + CLAIM_MS);
      const held = await takeClaim(tx, {
        applicationId: free.id,
        staffId: staff.id,
        now: at,
        expiresAt,
      });
      return { number: free.number, isMine: held.staffId === staff.id };
    });
    // Somebody else's claim was stored between our look and our lock: there is another one.
    if (!found || found.isMine) return found?.number ?? null;
  }
}
