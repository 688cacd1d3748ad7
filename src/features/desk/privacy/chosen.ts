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
