/** Milliseconds that an application stays with somebody it was assigned to: three days, so that nothing lies forgotten. */
export const ASSIGNED_MS = 3 * 24 * 3600_000;
