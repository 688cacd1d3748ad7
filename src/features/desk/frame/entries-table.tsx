import type { ReactNode } from 'react';
import { classNames } from '~/ui/class-names.ts';
import { EntryLabel } from './panel.tsx';

/** A column of a table: its heading, and what of an entry stands in it. */
export type EntryColumn<Entry> = {
  head: string;
  render: (entry: Entry) => ReactNode;
  /** Of its cells. */
  className?: string;
  /** Figures stand at the end of their column. */
  isFigure?: boolean;
  /** On narrow screens, where there is no row of headings, each entry repeats this one. */
  isLabelled?: boolean;
  /** It names the row. */
  isRowName?: boolean;
};

type EntryRow = {
  key: string | number;
  className?: string;
  /** The entry that is shown in full elsewhere on the page. */
  isSelected?: boolean;
};

/** A table of which each row becomes an entry in a list on narrow screens. */
export function EntriesTable<Entry>({
  caption,
  className,
  columns,
  entries,
  rowOf,
  testId,
}: {
  caption?: string;
  className?: string;
  columns: readonly EntryColumn<Entry>[];
  entries: readonly Entry[];
  rowOf: (entry: Entry) => EntryRow;
  testId?: string;
}) {
  return (
    <table className={classNames('desk-table row-entries', className)}>
      {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
      <thead className="max-wide:sr-only">
        <tr>
          {columns.map(({ head, isFigure }) => (
            <th className={isFigure ? 'text-end' : undefined} key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const { key, className: rowClass, isSelected } = rowOf(entry);
          return (
            <tr
              aria-selected={isSelected || undefined}
              className={rowClass}
              data-testid={testId}
              key={key}
            >
              {columns.map(
                ({ head, render, className: cellClass, isFigure, isLabelled, isRowName }) => {
                  const Cell = isRowName ? 'th' : 'td';
                  return (
                    <Cell
                      className={classNames(isFigure && 'figures text-end', cellClass) || undefined}
                      key={head}
                      scope={isRowName ? 'row' : undefined}
                    >
                      {isLabelled ? <EntryLabel>{head}</EntryLabel> : null}
                      {render(entry)}
                    </Cell>
                  );
                },
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export type FiguresRow = {
  key: string;
  name: ReactNode;
  /** One for each heading after the first. */
  cells: readonly ReactNode[];
  /** A sum of the others. */
  isTotal?: boolean;
};

/** A table of figures: a name and numbers. */
export function FiguresTable({
  caption,
  head: [first = '', ...others],
  rows,
}: {
  caption: string;
  head: readonly string[];
  rows: readonly FiguresRow[];
}) {
  return (
    <EntriesTable
      caption={caption}
      columns={[
        {
          head: first,
          className: 'text-start font-medium wrap-anywhere text-ink max-wide:col-span-full',
          isRowName: true,
          render: ({ name }) => name,
        },
        ...others.map((head, index): EntryColumn<FiguresRow> => ({
          head,
          className: 'max-wide:text-start',
          isFigure: true,
          isLabelled: true,
          render: ({ cells }) => cells[index],
        })),
      ]}
      entries={rows}
      rowOf={({ key, isTotal }) => ({
        key,
        className: classNames('max-wide:grid-cols-2', isTotal && '*:font-semibold'),
      })}
    />
  );
}
