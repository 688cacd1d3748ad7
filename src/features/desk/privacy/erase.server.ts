import { dateOf, UTC } from '~/base/dates/dates.ts';
import { removeFilesLater } from '~/platform/files/remove-files.server.ts';
import { countDeletions, type DeletionCounts } from './deletion-counts-store.server.ts';
import type { Given } from './privacy-case.ts';
import type { Platform, WithoutPool } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Chosen } from './chosen.ts';
import type { Blocker } from './erasure-rules.ts';
import {
  comingTrips,
  ERASED_ADDRESS,
  eraseRows,
  erasureBlockers,
  keptApplications,
  type ComingTrip,
} from './erasure-store.server.ts';
import { findPerson } from './find-person-store.server.ts';
import { countPerson, personIds, readPerson } from './read-person-store.server.ts';

/** What an erasure would do. */
export type ErasurePlan = {
  blockers: Blocker[];
  /** Trips that are still to come: whoever erases confirms them. */
  trips: ComingTrip[];
  goes: DeletionCounts;
  /** Rows that the law obliges us to keep, by table. */
  stays: Record<string, number>;
  /** Insurances that stay with their certificate. */
  keptInsurances: number;
};

class NotCommitted extends Error {
  override name = 'NotCommitted';
}

/** Shows an erasure before it is done: it is done, counted, and rolled back. */
export async function planErasure(platform: Platform, own: Chosen): Promise<ErasurePlan> {
  let plan: ErasurePlan | undefined;
  await platform.db
    .transaction(
      async (tx) => {
        const now = platform.now();
        const blockers = await erasureBlockers(tx, own, { now, isLocking: false });
        const trips = await comingTrips(tx, own, dateOf(now, UTC));
        const ids = await personIds(tx, own);
        const kept = (await countPerson(tx, ids)).filter(
          ({ table }) => table.erasure === 'kept' || table.name === 'purchase_order',
        );
        const keptInsurances = (await keptApplications(tx, own.applicationIds)).length;
        const goes = await countDeletions(tx, () => erase(tx, platform, own, now));
        const stays = Object.fromEntries(kept.map(({ table, count }) => [table.name, count]));
        plan = { blockers, trips, goes, stays, keptInsurances };
        throw new NotCommitted();
      },
      { isolationLevel: 'repeatable read' },
    )
    .catch((error: unknown) => {
      if (!(error instanceof NotCommitted)) throw error;
    });
  if (!plan) throw new Error('An erasure was not planned');
  return plan;
}

/**
 * Deletes the rows in the caller's transaction, and has the files removed after it; returns the files. `at`: when the
 * person's data was erased, which is earlier where that is repeated.
 */
export async function erase(
  tx: Transaction,
  { sealer }: Pick<WithoutPool, 'sealer'>,
  own: Chosen,
  at: Date,
): Promise<string[]> {
  const ids = await personIds(tx, own);
  const files = await eraseRows(tx, sealer, { own, ids, at });
  await removeFilesLater(tx, files);
  return files;
}

/** What is still found of a person after an erasure; all zero: nothing but what the law keeps. */
export type ErasureCheck = { rows: number; found: number; files: number };

/**
 * Looks again, in three ways: for rows by the ids that were erased, for what the person gave, and for the files. What
 * the law keeps is left out.
 */
export async function checkErasure(
  platform: Platform,
  own: Chosen,
  given: Given,
): Promise<ErasureCheck> {
  const kept = new Set(await keptApplications(platform.db, own.applicationIds));
  const erased = {
    ...own,
    applicationIds: own.applicationIds.filter((id) => !kept.has(id)),
    orderIds: [],
  };
  const counts = (await countPerson(platform.db, await personIds(platform.db, erased))).filter(
    ({ table }) => table.erasure !== 'kept',
  );
  const again = await findPerson(platform, given);
  let files = 0;
  for (const id of own.fileIds ?? []) if (await platform.files.read(id)) files += 1;
  return {
    rows: counts.reduce((sum, { count }) => sum + count, 0),
    found:
      again.applications.filter(({ id }) => own.applicationIds.includes(id) && !kept.has(id))
        .length +
      again.orders.filter(
        ({ id, customerEmail }) => own.orderIds.includes(id) && customerEmail !== ERASED_ADDRESS,
      ).length +
      again.drafts.filter(({ id }) => own.draftIds.includes(id)).length,
    files,
  };
}

/** Everything of a person, read in one snapshot. */
export const readEverything = (platform: Platform, own: Chosen) =>
  platform.db.transaction(
    async (tx) => readPerson({ db: tx, sealer: platform.sealer }, await personIds(tx, own)),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
