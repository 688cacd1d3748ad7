import { stack } from 'd3-shape';
import { columnLabels, columnScale, valueScale, type ColumnLabel, type Tick } from './scale.ts';

/** One part of a column: px from the top and px high. */
export type Part = { readonly top: number; readonly height: number };
export type Column = {
  readonly left: number;
  readonly width: number;
  /** From the bottom up, one for every series; a part without a value has no height. */
  readonly parts: readonly Part[];
};

/** Where everything of a column chart stands. Plain data: it is worked out on the server and drawn anywhere. */
export type ColumnsPlan = {
  readonly ticks: readonly Tick[];
  readonly columns: readonly Column[];
  readonly labels: readonly ColumnLabel[];
};

/** Columns of stacked values; every column has one value, 0 or more, for each series. */
export function planColumns(
  columns: readonly (readonly number[])[],
  options: { whole?: boolean } = {},
): ColumnsPlan {
  const series = Math.max(0, ...columns.map(({ length }) => length));
  const layers = stack<unknown, readonly number[], number>()
    .keys(Array.from({ length: series }, (_, index) => index))
    .value((column, index) => column[index] ?? 0)([...columns]);
  const most = Math.max(0, ...layers.flat().map(([, upper]) => upper));
  const { ticks, topOf } = valueScale(most, options);
  const { width, leftOf } = columnScale(columns.length);
  return {
    ticks,
    columns: columns.map((_, index) => ({
      left: leftOf(index),
      width,
      parts: layers.map((layer) => {
        const [lower, upper] = layer[index] ?? [0, 0];
        const top = topOf(upper);
        return { top, height: Math.round((topOf(lower) - top) * 10) / 10 };
      }),
    })),
    labels: columnLabels(columns.length),
  };
}
