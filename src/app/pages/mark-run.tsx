import { useEffect } from 'react';

/** The mark in the browser's timeline, and the event of its window. */
export const RUN_EVENT = 'scripts-run';

/** Says that React has hydrated the page: from then on it handles clicks and keys. */
export function MarkRun(): null {
  useEffect(() => {
    performance.mark(RUN_EVENT);
    // After the effects of the page, which listen for what waited for them.
    setTimeout(() => dispatchEvent(new Event(RUN_EVENT)));
  }, []);
  return null;
}
