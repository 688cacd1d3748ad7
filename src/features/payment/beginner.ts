/** Who begins attempts: the payer of the order, or a guest: anybody else who knows its number and pays it. */
export const beginnerRoles = ['payer', 'guest'] as const;

/** Who asks for, or asks about, an attempt. `sessionHash`: of the browser's session; null where it keeps none. */
export type Beginner = { role: (typeof beginnerRoles)[number]; sessionHash: Buffer | null };

/**
 * Whether somebody may go on with an attempt, and see what became of it. A payer's attempts are every payer's, on all
 * their devices; a guest's belong to the browser that began them.
 */
export function isOwnAttempt(
  attempt: { begunBy: Beginner['role']; sessionHash: Buffer | null },
  { role, sessionHash }: Beginner,
): boolean {
  if (attempt.begunBy === 'payer' && role === 'payer') return true;
  return (
    sessionHash !== null && attempt.sessionHash !== null && attempt.sessionHash.equals(sessionHash)
  );
}
