import { useState } from 'react';

/**
 * Tells screen readers what has changed elsewhere on the page, such as a total. The region stands on the page from the start
 * and is empty until its text is another than at first: one that is inserted together with its text is not read.
 */
export function Announced({ children: text }: { children: string }) {
  const [start] = useState(text);
  const [isChanged, setChanged] = useState(false);
  if (!isChanged && text !== start) setChanged(true);
  return (
    <p aria-live="polite" className="sr-only">
      {isChanged ? text : ''}
    </p>
  );
}
