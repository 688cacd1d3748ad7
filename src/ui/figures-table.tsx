import type { ReactNode } from 'react';
import { languageColon } from '~/base/languages.ts';
import { classNames } from './class-names.ts';
import { useTranslation } from './texts/texts.tsx';

/** `isFigure`: sums and prices, which stand at the end of their column. */
type FiguresColumn<Row> = {
  head: ReactNode;
  render: (row: Row) => ReactNode;
  isFigure?: boolean;
};

/**
 * A table of prices, sums or years, whose first column names the row. `isStacked`, of three columns: on narrow screens a
 * row has its name and its figure in one line, and below them the cell between with the head of its column.
 */
export function FiguresTable<Row>({
  caption,
  isCaptionShown = false,
  columns,
  rows,
  keyOf,
  isStacked = false,
  className,
}: {
  caption?: string;
  isCaptionShown?: boolean;
  columns: readonly FiguresColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string | number;
  isStacked?: boolean;
  className?: string;
}) {
  const { language } = useTranslation();
  const colon = languageColon(language);
  return (
    <table className={classNames('figures-table', isStacked && 'figures-stacked', className)}>
      {caption === undefined ? null : (
        <caption className={isCaptionShown ? 'pb-3 text-start font-semibold' : 'sr-only'}>
          {caption}
        </caption>
      )}
      <thead className={isStacked ? 'max-wide:sr-only' : undefined}>
        <tr>
          {columns.map(({ head, isFigure }, index) => (
            <th className={isFigure ? 'text-end' : undefined} key={index} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)}>
            {columns.map(({ head, render, isFigure }, column) =>
              column === 0 ? (
                <th key={column} scope="row">
                  {render(row)}
                </th>
              ) : (
                <td
                  className={isFigure ? 'figures text-end' : undefined}
                  data-label={
                    isStacked && typeof head === 'string' ? `${head}${colon} ` : undefined
                  }
                  key={column}
                >
                  {render(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
