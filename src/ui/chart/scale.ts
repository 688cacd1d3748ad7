import { scaleBand, scaleLinear } from 'd3-scale';

/** Height of every plot in px. Across it has no size of its own: places are percentages of whatever room there is. */
export const PLOT_HEIGHT = 200;

/** A value of the axis and its place in px from the top. */
export type Tick = { readonly value: number; readonly top: number };

export type ValueScale = {
  readonly ticks: readonly Tick[];
  /** Place of a value in px from the top, to a tenth. */
  readonly topOf: (value: number) => number;
};

const tenth = (place: number) => Math.round(place * 10) / 10;

/**
 * From 0 at the bottom to a round value not below `most`, with about four values named. `whole`: of things that are
 * counted, there are no halves. `fixed`: the axis ends at `most` itself.
 */
export function valueScale(
  most: number,
  { whole = false, fixed = false }: { whole?: boolean; fixed?: boolean } = {},
): ValueScale {
  const linear = scaleLinear()
    .domain([0, most > 0 ? most : 1])
    .range([PLOT_HEIGHT, 0]);
  if (!fixed) linear.nice(4);
  const topOf = (value: number) => tenth(linear(value));
  const values = linear.ticks(4).filter((value) => !whole || Number.isInteger(value));
  return { ticks: values.map((value) => ({ value, top: topOf(value) })), topOf };
}

/** Places across in percent: where each of `count` columns begins, how wide it is, and its middle. */
export function columnScale(count: number) {
  const band = scaleBand<number>()
    .domain(Array.from({ length: count }, (_, index) => index))
    .range([0, 100])
    .paddingInner(0.28)
    .paddingOuter(0.14);
  const width = Math.round(band.bandwidth() * 100) / 100;
  const leftOf = (index: number) => Math.round((band(index) ?? 0) * 100) / 100;
  return {
    width,
    leftOf,
    middleOf: (index: number) => Math.round((leftOf(index) + width / 2) * 100) / 100,
  };
}

/** A column that is named below the plot; where room is short, only those that are not `extra`. */
export type ColumnLabel = {
  readonly index: number;
  readonly middle: number;
  readonly extra: boolean;
};

/** Names at even distances that end with the newest: seven at most, four where room is short. */
export function columnLabels(count: number): ColumnLabel[] {
  const { middleOf } = columnScale(count);
  const every = Math.ceil(count / 7);
  const everyFew = every * Math.ceil(count / every / 4);
  const labels: ColumnLabel[] = [];
  for (let index = count - 1; index >= 0; index -= every) {
    labels.unshift({ index, middle: middleOf(index), extra: (count - 1 - index) % everyFew !== 0 });
  }
  return labels;
}
