import { randomUUID } from 'node:crypto';
import {
  erasePerson,
  type ErasureBlocker,
  erasureBlockers,
  isAnyAddressKept,
} from './erase.server.ts';
import { z } from 'zod';
import { changeCase, chosen, everyCase, lockCase, type ChosenData } from './case-store.server.ts';
import { insertDeletionRecord, countDeletions } from './deletions.server.ts';
import type { WithoutPool } from '~/platform/platform.server.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';

/**
 * One erasure as the log and `npm run lale -- erasures --list` say it: ids alone, which lead to nobody once it is done. With
 * it the erasure is done again in a database that was restored from a backup of before.
 */
const erasure = z.object({ caseId: z.uuid(), at: z.iso.datetime(), own: chosen });
type Erasure = z.infer<typeof erasure>;

export const makeErasure = (caseId: string, own: ChosenData, at: Date): Erasure => {
  const { fileIds: _, ...ids } = own;
  return { caseId, at: at.toISOString(), own: ids };
};

const line = z.object({ erasure });

/** The erasures in lines of JSON, such as a list or a log: other lines are left out, and of one told twice the last. */
export function readErasures(text: string): Erasure[] {
  const byCase = new Map<string, Erasure>();
  for (const one of text.split('\n')) {
    // Whatever collects logs may write something before the JSON.
    const read = line.safeParse(parsed(one.slice(Math.max(one.indexOf('{'), 0))));
    if (read.success) byCase.set(read.data.erasure.caseId, read.data.erasure);
  }
  return [...byCase.values()].toSorted((a, b) => a.at.localeCompare(b.at));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

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
    if (one.erasedAt && one.chosen) found.push(makeErasure(one.id, one.chosen, one.erasedAt));
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
