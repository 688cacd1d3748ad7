import { randomUUID } from 'node:crypto';
import {
  erasePerson,
  type ErasureBlocker,
  erasureBlockers,
  isAnyAddressKept,
} from './erase.server.ts';
import { changeCase, everyCase, lockCase, makeErasure, type Erasure } from './case-store.server.ts';
import { insertDeletionRecord, countDeletions } from './deletions.server.ts';
import type { WithoutPool } from '~/platform/platform.server.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import { readChosenData } from './cases.server.ts';

/** Every erasure that the database knows of, by the moment. */
export async function listErasures({
  db,
  sealer,
}: {
  db: Database;
  sealer: WithoutPool['sealer'];
}): Promise<Erasure[]> {
  const found: Erasure[] = [];
  for await (const one of everyCase(db, sealer)) {
    const own = readChosenData(one);
    if (one.erasedAt && own) found.push(makeErasure(one.id, own, one.erasedAt));
  }
  return found.toSorted((a, b) => a.at.localeCompare(b.at));
}

type RepeatedErasures = {
  /** Those that found something to erase again. */
  repeated: number;
  /** Of the others nothing is there. */
  gone: number;
  /** What waits, with the request: in what was restored it is not decided yet, or held. */
  waiting: { caseId: string; blockers: ErasureBlocker[] }[];
};

type Repeating = Pick<WithoutPool, 'sealer' | 'now'> & { db: Database };

/** Does erasures again, each in a transaction with a record of its own; doing so once more changes nothing. */
export async function repeatErasures(
  repeating: Repeating,
  erasures: readonly Erasure[],
): Promise<RepeatedErasures> {
  const done: RepeatedErasures = { repeated: 0, gone: 0, waiting: [] };
  for (const one of erasures) {
    const outcome = await repeating.db.transaction((tx) => repeatOne(tx, repeating, one), {
      isolationLevel: 'repeatable read',
    });
    if (typeof outcome === 'string') done[outcome] += 1;
    else done.waiting.push({ caseId: one.caseId, blockers: outcome });
  }
  return done;
}

async function repeatOne(
  tx: Transaction,
  { sealer, now }: Pick<Repeating, 'sealer' | 'now'>,
  { caseId, at, own }: Erasure,
): Promise<'repeated' | 'gone' | ErasureBlocker[]> {
  const found = await lockCase(tx, sealer, caseId);
  const blockers = await erasureBlockers(tx, own, { now: now(), isLocking: true });
  if (blockers.length > 0) return blockers;
  const hadAddress = await isAnyAddressKept(tx, own.orderIds);
  let fileIds: string[] = [];
  const counts = await countDeletions(tx, async () => {
    fileIds = await erasePerson(tx, { sealer }, own, new Date(at));
  });
  const isGone = Object.keys(counts.deleted).length === 0 && !hadAddress;
  // The request may be younger than the backup, or have been open then.
  if (found?.identityBy && !found.erasedAt && found.kind === 'erasure') {
    await changeCase(tx, sealer, caseId, {
      erasedBy: found.identityBy,
      erasedAt: new Date(at),
      chosen: { ...own, fileIds },
    });
  }
  if (isGone) return 'gone';
  await insertDeletionRecord(tx, {
    id: randomUUID(),
    at: now(),
    cause: 'erasure',
    caseId: found ? caseId : null,
    ...counts,
  });
  return 'repeated';
}

/** What came of it, for people. */
export function repeatedLines({ repeated, gone, waiting }: RepeatedErasures): string[] {
  return [
    `Erasures done again: ${repeated}; of which nothing was there: ${gone}.`,
    ...waiting.map(
      ({ caseId, blockers }) =>
        `The erasure of request ${caseId} waits: ${blockers.map(({ code, number }) => `${number} ${code}`).join(', ')}. Mend that at the desk and repeat.`,
    ),
  ];
}
