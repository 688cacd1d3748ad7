import type { ReactNode } from 'react';
import { EntryLabel } from './desk-section.tsx';

export type FiguresRow = {
  key: string;
  name: ReactNode;
  /** One for each heading after the first. */
  cells: readonly ReactNode[];
  /** A sum of the others. */
  isTotal?: boolean;
};

/** A table of figures: a name and numbers. On narrow screens each row becomes an entry that repeats the headings. */
export function FiguresTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly string[];
  rows: readonly FiguresRow[];
}) {
  const [first, ...others] = head;
  return (
    <table className="desk-table row-entries">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-wide:sr-only">
        <tr>
          <th scope="col">{first}</th>
          {others.map((text) => (
            <th className="text-end" key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells, isTotal = false }) => (
          <tr
            className={isTotal ? 'max-wide:grid-cols-2 *:font-semibold' : 'max-wide:grid-cols-2'}
            key={key}
          >
            <th
              className="text-start font-medium wrap-anywhere text-ink max-wide:col-span-full"
              scope="row"
            >
              {name}
            </th>
            {cells.map((cell, index) => (
              <td className="figures text-end max-wide:text-start" key={others[index]}>
                <EntryLabel>{others[index]}</EntryLabel>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
