/** After this time staff hear of an attempt that its partner took on and does not decide: an alert, once. */
export const PENDING_LONG_MS = 24 * 3600_000;

/** By this the alert is raised a single time, and found again once the partner has decided. */
export const pendingAlert = (attemptId: string): string => `pending:${attemptId}`;
