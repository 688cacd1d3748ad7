import * as z from 'zod/mini';

const ids = z.array(z.string());

/** What staff chose as a person's own, by ids. An order: one that the person pays, with its receipts. */
export const chosen = z.object({
  applicationIds: ids,
  orderIds: ids,
  visaDraftIds: ids,
  insuranceDraftIds: ids,
  /** Files that an erasure had removed, to look afterwards whether they are gone. */
  fileIds: z.optional(ids),
});
export type Chosen = z.infer<typeof chosen>;

export const isNothing = (own: Chosen): boolean =>
  [own.applicationIds, own.orderIds, own.visaDraftIds, own.insuranceDraftIds].every(
    (list) => list.length === 0,
  );
