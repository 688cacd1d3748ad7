import { useEffect } from 'react';

/** Marks in the browser's timeline that React has hydrated the page: from then on it handles clicks and keys. */
export function MarkRun(): null {
  useEffect(() => void performance.mark('scripts-run'), []);
  return null;
}
