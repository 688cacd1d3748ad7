import * as z from 'zod/mini';

const ids = z.array(z.string());

/** What staff chose as a person's own, by ids. An order: one that the person pays, with its receipts. */
export const chosen = z.object({
  applicationIds: ids,
  orderIds: ids,
  visaDraftIds: ids,
  insuranceDraftIds: ids,
});
export type Chosen = z.infer<typeof chosen>;

export const isNothing = (own: Chosen): boolean =>
  Object.values(own).every((list) => list.length === 0);
