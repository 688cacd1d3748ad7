/**
 * The parts of the queue, in display order. `waiting`: staff have to act. `undelivered`: approved,
 * and staff have to attach the PDF. `paused`: the traveller has to. `closed`:
 * rejected before payment.
 */
export const queueGroups = {
  waiting: 0,
  undelivered: 1,
  paused: 2,
  unpaid: 3,
  decided: 4,
  closed: 5,
} as const;

export type QueueGroup = keyof typeof queueGroups;

/** Whether there is something left to do: it is undecided, or approved without its PDF. */
export const isInHand = (one: { decidedAt: Date | null; undeliveredSince: Date | null }): boolean =>
  one.decidedAt === null || one.undeliveredSince !== null;
