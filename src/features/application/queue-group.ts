/**
 * The parts of the queue, in its order. Only `waiting` is ours to do; a `paused` one waits for its traveller; `closed`
 * ones were rejected before anybody paid.
 */
export const queueGroups = { waiting: 0, paused: 1, unpaid: 2, decided: 3, closed: 4 } as const;

export type QueueGroup = keyof typeof queueGroups;
