import * as z from 'zod/mini';

const ids = z.array(z.string());

/** What staff chose as a person's own, by ids. An order: one that the person pays, with its receipts. */
export const chosen = z.object({
  applicationIds: ids,
  orderIds: ids,
  draftIds: ids,
  /** Earlier requests of the person. */
  caseIds: z.prefault(ids, []),
  /** Accounts at the desk, where the person works here. */
  staffIds: z.prefault(ids, []),
  /** Files that an erasure had removed, to look afterwards whether they are gone. */
  fileIds: z.optional(ids),
});
export type Chosen = z.infer<typeof chosen>;

export const isNothing = (own: Chosen): boolean => countChosen(own) === 0;

export const countChosen = (own: Chosen): number =>
  [own.applicationIds, own.orderIds, own.draftIds, own.caseIds, own.staffIds].reduce(
    (sum, list) => sum + list.length,
    0,
  );

/**
 * One erasure as the log and `npm run lale -- erasures --list` say it: ids alone, which lead to nobody once it is done. With
 * it the erasure is done again in a database that was restored from a backup of before.
 */
const erasure = z.object({ caseId: z.uuid(), at: z.iso.datetime(), own: chosen });
export type Erasure = z.infer<typeof erasure>;

export const erasureOf = (caseId: string, own: Chosen, at: Date): Erasure => {
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
