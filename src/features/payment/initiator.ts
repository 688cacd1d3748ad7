/** Who begins attempts: the order's payer, or a guest, that is anybody else who knows the number and pays. */
export const initiatorRoles = ['payer', 'guest'] as const;

/** Who asks for, or asks about, an attempt. `sessionHash`: of the browser's session; null without one. */
export type Initiator = { role: (typeof initiatorRoles)[number]; sessionHash: Buffer | null };

/**
 * Whether somebody may continue an attempt and see its result. A payer's attempts are visible on all the payer's
 * devices; a guest's only in the browser that began them.
 */
export function isOwnAttempt(
  attempt: { begunBy: Initiator['role']; sessionHash: Buffer | null },
  { role, sessionHash }: Initiator,
): boolean {
  if (attempt.begunBy === 'payer' && role === 'payer') return true;
  return (
    sessionHash !== null && attempt.sessionHash !== null && attempt.sessionHash.equals(sessionHash)
  );
}
