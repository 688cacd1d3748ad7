/**
 * The parts of the queue, in display order. `waiting`: staff have to act. `paused`: the traveller has to. `closed`:
 * rejected before payment.
 */
export const queueGroups = { waiting: 0, paused: 1, unpaid: 2, decided: 3, closed: 4 } as const;

export type QueueGroup = keyof typeof queueGroups;
