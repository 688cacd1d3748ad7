/** Who is at work on an application, as its claim answers. */
export type HolderAnswer = {
  /** Somebody else's name; null: the caller, or nobody. */
  claimedBy: string | null;
  /** ISO 8601, UTC; null: nobody is at work on it. */
  claimedUntil: string | null;
};
