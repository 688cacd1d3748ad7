import { useEffect, useState } from 'react';
import type { Holder } from '../records/claim.server.ts';
import type { Detail } from '../records/detail.server.ts';
import type { HolderAnswer } from '../records/holder-answer.ts';

const segments = { visa: 'applications', insurance: 'insurance-applications' } as const;

/**
 * Claims the open application once it is shown: a GET changes nothing, so scripts send a POST. Without scripts a
 * button does it, or the first action. Answers who is at work on it; `shown` is what the page said.
 */
export function useClaim(
  { number, kind, decidedAt }: Pick<Detail, 'number' | 'kind' | 'decidedAt'>,
  shown: Holder | null,
): Holder | null {
  const [told, setTold] = useState<{ shown: Holder | null; holder: Holder | null } | null>(null);
  const isOpen = decidedAt === null;
  useEffect(() => {
    if (!isOpen) return undefined;
    const aborting = new AbortController();
    void askFor(`/api/admin/${segments[kind]}/${number}/claim`, aborting.signal).then((holder) =>
      aborting.signal.aborted || holder === undefined ? undefined : setTold({ shown, holder }),
    );
    return () => aborting.abort();
  }, [number, kind, isOpen, shown]);
  // What the page loaded since is newer than the answer to the claim.
  return told && told.shown === shown ? told.holder : shown;
}

/** Undefined: the service gave no answer. The claim is a courtesy among colleagues; decisions check it themselves. */
async function askFor(path: string, signal: AbortSignal): Promise<Holder | null | undefined> {
  try {
    const response = await fetch(path, { method: 'POST', signal });
    if (!response.ok) return undefined;
    const { claimedBy, claimedUntil }: HolderAnswer = await response.json();
    return claimedUntil === null ? null : { name: claimedBy, until: new Date(claimedUntil) };
  } catch {
    return undefined;
  }
}
