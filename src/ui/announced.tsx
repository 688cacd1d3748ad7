import { useState } from 'react';

/**
 * Tells screen readers what has changed elsewhere on the page, such as a total: each line when it changes. The region stands
 * on the page from the start and is empty, because one that is inserted together with its text is not read.
 */
export function Announced({ lines }: { lines: readonly string[] }) {
  const [start] = useState(lines);
  const [said, setSaid] = useState(lines.map(() => ''));
  const next = lines.map((line, index) =>
    line === start[index] && said[index] === '' ? '' : line,
  );
  if (next.some((line, index) => line !== said[index])) setSaid(next);
  return (
    <div aria-live="polite" className="sr-only">
      {next.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}
