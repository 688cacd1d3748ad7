import { useState } from 'react';

/**
 * A key for a form, which empties it (React makes it anew) once what it sent was done, and not when the page answers another
 * form. `answer`: the page's last one; `isDone`: whether it says that this form's work was done.
 */
export function useResetKey(answer: object | undefined, isDone: boolean): number {
  const [last, setLast] = useState<object>();
  const [key, setKey] = useState(0);
  if (answer !== last) {
    setLast(answer);
    if (isDone) setKey(key + 1);
  }
  return key;
}
