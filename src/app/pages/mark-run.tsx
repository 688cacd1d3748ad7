import { useEffect } from 'react';

/** Marks in the browser's timeline that the page is React's: from then on presses and keys are its own. */
export function MarkRun(): null {
  useEffect(() => void performance.mark('scripts-run'), []);
  return null;
}
