import { useEffect, useState } from 'react';
import type { Holder } from '../records/claim.server.ts';
import type { Detail } from '../records/detail.server.ts';
import type { HolderAnswer } from '../records/holder-answer.ts';

const segments = { visa: 'applications', insurance: 'insurance-applications' } as const;

/**
 * Claims the open application with a POST once it is shown, because a GET changes nothing. Without scripts a button
 * does, or the first action. Returns who is working on it; `shown`: what the page said.
 */
export function useClaim(
  { number, kind, decidedAt }: Pick<Detail, 'number' | 'kind' | 'decidedAt'>,
  shown: Holder | null,
): Holder | null {
  const [answer, setAnswer] = useState<{ shown: Holder | null; holder: Holder | null } | null>(
    null,
  );
  const isOpen = decidedAt === null;
  useEffect(() => {
    if (!isOpen) return undefined;
    const aborting = new AbortController();
    void askFor(`/api/admin/${segments[kind]}/${number}/claim`, aborting.signal).then((holder) =>
      aborting.signal.aborted || holder === undefined ? undefined : setAnswer({ shown, holder }),
    );
    return () => aborting.abort();
  }, [number, kind, isOpen, shown]);
  // What the page has loaded since is newer than the response to the claim.
  return answer && answer.shown === shown ? answer.holder : shown;
}

/** Undefined where the service gave no answer, which is ignored: decisions check the claim themselves. */
async function askFor(path: string, signal: AbortSignal): Promise<Holder | null | undefined> {
  try {
    const response = await fetch(path, { method: 'POST', signal });
    if (!response.ok) return undefined;
    const { claimedBy, claimedUntil, assigned }: HolderAnswer = await response.json();
    return claimedUntil === null
      ? null
      : { name: claimedBy, until: new Date(claimedUntil), isAssigned: assigned };
  } catch {
    return undefined;
  }
}
