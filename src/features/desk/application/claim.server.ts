import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames, activeStaff } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { validClaims, takeClaim, type Claim } from '~/features/application/claim-store.server.ts';
import { lockApplication, type Application } from '~/features/application/store.server.ts';
import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { insertNote } from './notes.server.ts';
import { readNote, ASSIGNED_MS } from './note.ts';
import { insertForYou, notifyMentioned } from '../queue/for-you.server.ts';

/** Milliseconds that a claim lasts; every action extends it. */
export const CLAIM_MS = 10 * 60_000;

type Claiming = Pick<Platform, 'db' | 'now'>;

/**
 * Who is working on an application. `name`: of somebody else; null for oneself. `isAssigned`: it was given to them and
 * stays theirs while they do other work.
 */
export type Holder = { name: string | null; until: Date; isAssigned: boolean };

/** Who is working on an application now; null for nobody. Reads only, for a GET. */
export async function claimHolder(
  { db, now }: Claiming,
  staff: Staff,
  applicationId: string,
): Promise<Holder | null> {
  return (await claimHolders({ db, now }, staff, [applicationId])).get(applicationId) ?? null;
}

/** Who is working on each of several applications now, by id. Reads only. */
export async function claimHolders(
  { db, now }: Claiming,
  staff: Staff,
  applicationIds: string[],
): Promise<Map<string, Holder>> {
  const claims = await validClaims(db, applicationIds, now());
  const others = [...claims.values()].filter(({ staffId }) => staffId !== staff.id);
  const names = await staffNames(
    db,
    others.map(({ staffId }) => staffId),
  );
  return new Map([...claims].map(([id, held]) => [id, named(held, staff, names)]));
}

/** Claims an application for ten minutes, unless somebody else is working on it. */
export async function claimApplication(
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

/**
 * The same after an action on it. `found`: the application as it was read before; where somebody has decided it since, it
 * is not claimed, as nobody works on it any more.
 */
export async function claimAfterAction(
  { db, now }: Claiming,
  staff: Staff,
  found: Pick<Application, 'id' | 'decidedAt'>,
): Promise<void> {
  const at = now();
  await db.transaction(async (tx) => {
    const current = await lockApplication(tx, found.id);
    if (current?.decidedAt?.getTime() !== found.decidedAt?.getTime()) return;
    const expiresAt = new Date(at.getTime() + CLAIM_MS);
    await takeClaim(tx, { applicationId: found.id, staffId: staff.id, now: at, expiresAt });
  });
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

type AssignError =
  | { code: 'unknown_colleague' | 'long_note' }
  | { code: 'claimed'; name: string; until: Date };

/**
 * Gives an open application to one of the staff, oneself included: a claim that lasts `ASSIGNED_MS`. One that somebody
 * else works on is taken over first, which is recorded. The note goes with it, and the colleague is told. The caller has
 * checked that it is not decided.
 */
export async function assignApplication(
  { db, now, sealer }: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  { applicationId, to, note: typed }: { applicationId: string; to: string; note: string },
): Promise<Outcome<null, AssignError>> {
  const note = readNote(typed);
  if (!note.ok && note.error === 'long_note') return refused({ code: 'long_note' });
  const at = now();
  return db.transaction(async (tx): Promise<Outcome<null, AssignError>> => {
    const colleague = (await activeStaff(tx)).find(({ id }) => id === to);
    if (!colleague) return refused({ code: 'unknown_colleague' });
    const expiresAt = new Date(at.getTime() + ASSIGNED_MS);
    const own = { applicationId, staffId: staff.id, now: at, expiresAt: at };
    // One's own claim first, so that a colleague's is noticed: of two who give it away at once one succeeds.
    const held = await takeClaim(tx, own);
    if (held.staffId !== staff.id) {
      const name = (await staffNames(tx, [held.staffId])).get(held.staffId) ?? '?';
      return refused({ code: 'claimed', name, until: held.expiresAt });
    }
    const given = { applicationId, staffId: to, now: at, expiresAt, assignedBy: staff.id };
    await takeClaim(tx, { ...given, takeOver: true });
    const noteId = note.ok ? randomUUID() : null;
    const subject = { kind: 'application', id: applicationId } as const;
    const entry = { at, staffId: staff.id, subject };
    if (note.ok && noteId !== null) {
      await insertNote(tx, sealer, {
        id: noteId,
        applicationId,
        staffId: staff.id,
        text: note.value,
        writtenAt: at,
      });
      await audit(tx, { ...entry, action: 'note_added', detail: { noteId } });
    }
    await audit(tx, { ...entry, action: 'case_assigned', detail: { to, noteId } });
    if (to !== staff.id) {
      await insertForYou(tx, [
        { kind: 'assigned', staffId: to, applicationId, noteId, byStaffId: staff.id, at },
      ]);
    }
    if (note.ok && noteId !== null) {
      await notifyMentioned(tx, staff, { noteId, applicationId, text: note.value, at });
    }
    return ok(null);
  });
}
