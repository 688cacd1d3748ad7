/** Milliseconds after which an attempt that its provider has accepted but not decided raises an alert, once. */
export const PENDING_LONG_MS = 24 * 3600_000;

/** The key by which the alert is raised once, and found again when the provider has decided. */
export const pendingAlert = (attemptId: string): string => `pending:${attemptId}`;
