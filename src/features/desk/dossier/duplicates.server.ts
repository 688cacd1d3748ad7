import { createHash } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  alikeOf,
  dismissalsOf,
  dismissedFacts,
  holdBoth,
  insertDismissal,
  tripsOf,
  type Dismissal,
} from './duplicate-store.server.ts';
import {
  inOrder,
  pairText,
  reasonsFor,
  type DuplicateReason,
  type TripFacts,
} from './duplicates.ts';
import { readWhy, type WhyError } from './note.ts';

type Pair = { one: TripFacts; other: TripFacts; reasons: DuplicateReason[]; facts: Buffer };

const factsOf = (one: TripFacts, other: TripFacts): Buffer =>
  createHash('sha256').update(pairText(one, other)).digest();

function pairOf(one: TripFacts | undefined, other: TripFacts | undefined): Pair | null {
  if (!one || !other?.paid) return null;
  const reasons = reasonsFor(one, other);
  return reasons.length === 0 ? null : { one, other, reasons, facts: factsOf(one, other) };
}

/** Every pair of one of these applications and another, paid one that may be the same trip. Four statements in all. */
async function pairsOf(db: Queryable, applicationIds: string[]): Promise<Pair[]> {
  const mine = await tripsOf(db, applicationIds);
  const alike = await alikeOf(db, mine);
  const known = new Map(mine.map((trip) => [trip.id, trip]));
  const unknown = new Set(alike.map(({ otherId }) => otherId).filter((id) => !known.has(id)));
  for (const trip of await tripsOf(db, [...unknown])) known.set(trip.id, trip);
  return alike.flatMap(({ id, otherId }) => pairOf(known.get(id), known.get(otherId)) ?? []);
}

/** Which of these applications have a possible duplicate that nobody has dismissed. */
export async function duplicateMarks(db: Queryable, ids: string[]): Promise<Set<string>> {
  const pairs = await pairsOf(db, ids);
  if (pairs.length === 0) return new Set();
  const dismissed = await dismissedFacts(db, ids);
  const left = pairs.filter(({ facts }) => !dismissed.has(facts.toString('hex')));
  return new Set(left.map(({ one }) => one.id));
}

export type Duplicate = {
  trip: TripFacts;
  reasons: DuplicateReason[];
  dismissal: Dismissal | null;
};

/** The possible duplicates of one application, and those that were dismissed. */
export async function duplicatesOf(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  applicationId: string,
): Promise<Duplicate[]> {
  const [pairs, dismissals] = await Promise.all([
    pairsOf(db, [applicationId]),
    dismissalsOf(db, sealer, applicationId),
  ]);
  return pairs
    .map(({ other, reasons, facts }) => ({
      trip: other,
      reasons,
      dismissal: dismissals.get(facts.toString('hex')) ?? null,
    }))
    .toSorted((a, b) => (a.trip.from < b.trip.from ? -1 : 1));
}

/**
 * Says that two applications are no duplicates, and why: the warning ends for both, until one of them changes in what
 * made them look alike. Both stay as they are.
 */
export async function dismissDuplicate(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  staff: Staff,
  { applicationId, otherId, typed }: { applicationId: string; otherId: string; typed: string },
): Promise<Outcome<null, WhyError | 'unknown_duplicate'>> {
  const why = readWhy(typed);
  if (!why.ok) return why;
  const at = now();
  return db.transaction(async (tx) => {
    await holdBoth(tx, [applicationId, otherId]);
    const trips = await tripsOf(tx, [applicationId, otherId]);
    const named = (id: string) => trips.find((trip) => trip.id === id);
    const pair = pairOf(named(applicationId), named(otherId));
    if (!pair) return refused('unknown_duplicate');
    const [one, other] = inOrder(pair.one, pair.other);
    const row = { oneId: one.id, otherId: other.id, facts: pair.facts, why: why.value };
    const isNew = await insertDismissal(tx, sealer, { ...row, staffId: staff.id, dismissedAt: at });
    if (!isNew) return ok(null);
    for (const [id, against] of [
      [one.id, other.id],
      [other.id, one.id],
    ] as const) {
      await audit(tx, {
        at,
        staffId: staff.id,
        action: 'duplicate_dismissed',
        subject: { kind: 'application', id },
        detail: { otherId: against, reasons: pair.reasons.join(' ') },
      });
    }
    return ok(null);
  });
}
