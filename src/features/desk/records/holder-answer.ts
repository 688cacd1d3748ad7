/** Who is working on an application, in the response to a claim. */
export type HolderAnswer = {
  /** Somebody else's name; null for the caller or nobody. */
  claimedBy: string | null;
  /** ISO 8601, UTC; null where nobody is working on it. */
  claimedUntil: string | null;
  /** Whether it was given to them. */
  assigned: boolean;
};
