import { line } from 'd3-shape';
import { columnLabels, columnScale, valueScale, type ColumnLabel, type Tick } from './scale.ts';

export type Point = { readonly index: number; readonly middle: number; readonly top: number };
export type LinePlan = {
  /** SVG path in a box 100 wide; empty where no two neighbours have a value. */
  readonly path: string;
  readonly points: readonly Point[];
};

/** Where everything of a line chart stands. Plain data: it is worked out on the server and drawn anywhere. */
export type LinesPlan = {
  readonly ticks: readonly Tick[];
  readonly lines: readonly LinePlan[];
  readonly labels: readonly ColumnLabel[];
};

/**
 * Lines over the same columns; null is a gap. `most`: where the axis ends, instead of above the greatest value. `least`:
 * what the axis reaches at any rate; below it, its values would be too small to be told apart.
 */
export function planLines(
  series: readonly (readonly (number | null)[])[],
  { most, least = 0 }: { most?: number; least?: number } = {},
): LinesPlan {
  const count = Math.max(0, ...series.map(({ length }) => length));
  const greatest = Math.max(least, ...series.flat().map((value) => value ?? 0));
  const { ticks, topOf } = valueScale(most ?? greatest, { fixed: most !== undefined });
  const { middleOf } = columnScale(count);
  const draw = line<Point | null>()
    .defined((point) => point !== null)
    .x((point) => point?.middle ?? 0)
    .y((point) => point?.top ?? 0)
    .digits(2);
  return {
    ticks,
    lines: series.map((values) => {
      const places = values.map((value, index) =>
        value === null ? null : { index, middle: middleOf(index), top: topOf(value) },
      );
      return { path: draw(places) ?? '', points: places.filter((point) => point !== null) };
    }),
    labels: columnLabels(count),
  };
}
