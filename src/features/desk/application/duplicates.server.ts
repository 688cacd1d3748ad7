import { createHash } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  alikeOf,
  dismissalsOf,
  lockBoth,
  insertDismissal,
  tripsOf,
  type Dismissal,
} from './duplicate-store.server.ts';
import {
  inOrder,
  isSamePerson,
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

type Found = Pair & { isDismissed: boolean };

/** Every pair of one of these applications and another, paid one that may be a duplicate, in one statement. */
async function pairsOf(db: Queryable, applicationIds: readonly string[]): Promise<Found[]> {
  const alike = await alikeOf(db, applicationIds);
  return [...alike.values()].flatMap(({ trip, others, dismissed }) =>
    others.flatMap((id) => {
      const pair = pairOf(trip, alike.get(id)?.trip);
      return pair ? { ...pair, isDismissed: dismissed.includes(pair.facts.toString('hex')) } : [];
    }),
  );
}

/** Which of these applications have a possible duplicate that was not dismissed. */
export async function duplicateMarks(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const pairs = await pairsOf(db, ids);
  return new Set(pairs.flatMap(({ one, isDismissed }) => (isDismissed ? [] : one.id)));
}

/** The same, of those alone that seem to be of one person: they are approved only by who says that they checked it. */
export async function samePersonMarks(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const pairs = await pairsOf(db, ids);
  return new Set(
    pairs.flatMap(({ one, reasons, isDismissed }) =>
      isDismissed || !isSamePerson(reasons) ? [] : one.id,
    ),
  );
}

export type Duplicate = {
  trip: TripFacts;
  reasons: DuplicateReason[];
  dismissal: Dismissal | null;
};

/** The possible duplicates of one application, and the dismissed ones. */
export async function duplicatesOf(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  applicationId: string,
): Promise<Duplicate[]> {
  const pairs = await pairsOf(db, [applicationId]);
  const dismissals = pairs.some(({ isDismissed }) => isDismissed)
    ? await dismissalsOf(db, sealer, applicationId)
    : new Map<string, Dismissal>();
  return pairs
    .map(({ other, reasons, facts }) => ({
      trip: other,
      reasons,
      dismissal: dismissals.get(facts.toString('hex')) ?? null,
    }))
    .toSorted((a, b) => (a.trip.from < b.trip.from ? -1 : 1));
}

/**
 * Records that two applications are no duplicates, and why: the warning ends for both until their compared facts
 * change. The applications stay as they are.
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
    await lockBoth(tx, [applicationId, otherId]);
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
