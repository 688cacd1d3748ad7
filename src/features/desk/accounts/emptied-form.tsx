import { useState } from 'react';

/**
 * A key for a form that is to be empty once what it sent was done, and to keep what is typed in it when the page answers
 * another form. `answer`: the page's last one; `isDone`: whether it says that this form's work was done.
 */
export function useEmptiedOnce(answer: object | undefined, isDone: boolean): number {
  const [{ last, count }, setState] = useState<{ last?: object; count: number }>({ count: 0 });
  if (answer !== last) {
    setState({ ...(answer && { last: answer }), count: isDone ? count + 1 : count });
  }
  return count;
}
