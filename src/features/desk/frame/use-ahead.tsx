import { parse } from 'devalue';
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** What one page loads of the next application before it is opened: the data of its page and of the queue beside it. */
type Ahead = { number: string; page: unknown; queue: unknown };

// Without zod: its objects would join the file of scripts that visitors load, too.
const isAhead = (value: unknown): value is Ahead =>
  typeof value === 'object' &&
  value !== null &&
  'number' in value &&
  typeof value.number === 'string' &&
  'page' in value &&
  'queue' in value;

/** Longer than anybody looks at an email; what is older is loaded anew. */
const FRESH_MS = 60_000;
/** After the page itself is there. */
const WAIT_MS = 150;

let kept: (Ahead & { at: number }) | null = null;

/** What was loaded of this application, as long as it is fresh; shown at once, and checked again by `useCheckAgain`. */
export function aheadOf(number: string | undefined): Ahead | null {
  return kept && kept.number === number && performance.now() - kept.at < FRESH_MS ? kept : null;
}

/**
 * Loads the application that "next" would open now, without claiming it: beside a decision that is about to be sent, or
 * was. `isEnding`: false loads nothing. A failure is ignored: it is loaded later.
 */
export function useLoadAhead({
  list,
  not,
  isEnding = true,
}: {
  /** The query of the list that "next" goes through. */
  list: string;
  not: string;
  isEnding?: boolean;
}): void {
  useEffect(() => {
    if (!isEnding) return undefined;
    const aborting = new AbortController();
    const timer = setTimeout(() => void load({ list, not }, aborting.signal), WAIT_MS);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [list, not, isEnding]);
}

async function load(wanted: Record<string, string>, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(`/admin/ahead?${new URLSearchParams(wanted)}`, { signal });
    if (!response.ok) return;
    const read: unknown = parse(await response.text());
    const mine = isAhead(read) ? { ...read, at: performance.now() } : null;
    kept = mine;
    // Personal data stays no longer in memory than it is of use.
    setTimeout(() => {
      if (kept === mine) kept = null;
    }, FRESH_MS);
  } catch {
    // The application is loaded when it is opened.
  }
}

/** Loads an application again that was shown as it had been loaded ahead: something may have changed since. */
export function useCheckAgain(number: string): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (aheadOf(number) === null) return;
    kept = null;
    void revalidate();
  }, [number, revalidate]);
}
