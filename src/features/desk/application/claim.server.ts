import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  claimsOn,
  takeClaim,
  type Claim,
} from '~/features/application/claim/claim-store.server.ts';

/** Milliseconds that a claim lasts; every action extends it. */
export const CLAIM_MS = 10 * 60_000;

type Claiming = Pick<Platform, 'db' | 'now'>;

/**
 * Who is working on an application. `name`: of somebody else; null for oneself. `isAssigned`: it was given to them and
 * stays theirs while they do other work.
 */
export type Holder = { name: string | null; until: Date; isAssigned: boolean };

/** Who is working on an application now; null for nobody. Reads only, for a GET. */
export async function holderOf(
  { db, now }: Claiming,
  staff: Staff,
  applicationId: string,
): Promise<Holder | null> {
  return (await holdersOf({ db, now }, staff, [applicationId])).get(applicationId) ?? null;
}

/** Who is working on each of several applications now, by id. Reads only. */
export async function holdersOf(
  { db, now }: Claiming,
  staff: Staff,
  applicationIds: string[],
): Promise<Map<string, Holder>> {
  const claims = await claimsOn(db, applicationIds, now());
  const others = [...claims.values()].filter(({ staffId }) => staffId !== staff.id);
  const names = await staffNames(
    db,
    others.map(({ staffId }) => staffId),
  );
  return new Map([...claims].map(([id, held]) => [id, named(held, staff, names)]));
}

/** Claims an application for ten minutes, unless somebody else is working on it. */
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
  return holderNamed(db, staff, taken);
}

/** The owner of a claim, as one of the staff is told. */
export async function holderNamed(db: Claiming['db'], staff: Staff, held: Claim): Promise<Holder> {
  const others = held.staffId === staff.id ? [] : [held.staffId];
  return named(held, staff, await staffNames(db, others));
}

const named = (
  { staffId, expiresAt, assignedBy }: Claim,
  staff: Staff,
  names: Map<string, string>,
): Holder => ({
  name: staffId === staff.id ? null : (names.get(staffId) ?? '?'),
  until: expiresAt,
  isAssigned: assignedBy !== null,
});
