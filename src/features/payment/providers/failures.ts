/** Failed starts in a row after which a provider counts as down. */
export const FAILURES = 5;
