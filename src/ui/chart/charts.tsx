import { scaleBand, scaleLinear } from 'd3-scale';
import { stack, line } from 'd3-shape';
import { useId, type ReactNode } from 'react';

/** Height of every plot in px. Across it has no size of its own: places are percentages of whatever room there is. */
export const PLOT_HEIGHT = 200;

/** A value of the axis and its place in px from the top. */
export type Tick = { readonly value: number; readonly top: number };

type ValueScale = {
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
function columnScale(count: number) {
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
type ColumnLabel = {
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

/** One part of a column: px from the top and px high. */
type ColumnPart = { readonly top: number; readonly height: number };
export type Column = {
  readonly left: number;
  readonly width: number;
  /** From the bottom up, one for every series; a part without a value has no height. */
  readonly parts: readonly ColumnPart[];
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

type Point = { readonly index: number; readonly middle: number; readonly top: number };
type LinePlan = {
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

/** Room above the plot for the highest name of the axis, and below it for the names of the columns. */
const ABOVE = 10;
const BELOW = 28;

/** How a series is drawn: the first plain, the second hatched and hollow, to be told apart without colour. */
type SeriesLook = 'plain' | 'second';
const seriesLooks: readonly SeriesLook[] = ['plain', 'second'];

const areaColors: Readonly<Record<SeriesLook, string>> = {
  plain: 'fill-turquoise',
  second: 'stroke-cobalt',
};

const pointColors: Readonly<Record<SeriesLook, string>> = {
  plain: 'fill-turquoise stroke-turquoise stroke-2',
  second: 'fill-paper stroke-cobalt stroke-2',
};

const lineColors: Readonly<Record<SeriesLook, string>> = {
  plain: 'stroke-turquoise stroke-3',
  second: 'stroke-cobalt stroke-[1.5px]',
};

/** As wide at every width of the drawing, which stretches it. */
function Line({ look, path }: { look: SeriesLook; path: string }) {
  return (
    <path
      className={`fill-none ${lineColors[look]}`}
      d={path}
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  );
}

/** The hatching, to be named as a fill; each drawing holds its own. */
function Hatching({ id }: { id: string }) {
  return (
    <pattern
      height="6"
      id={id}
      patternTransform="rotate(45)"
      patternUnits="userSpaceOnUse"
      width="6"
    >
      <rect className="fill-blue-ground" height="6" width="6" />
      <rect className="fill-cobalt" height="6" width="2" />
    </pattern>
  );
}

/**
 * Axis and plot side by side: the axis has its own width in px, the plot takes the rest, and text keeps its size at
 * every width. Right to left the whole drawing is mirrored by `chart.css`, the words are not. One image for readers:
 * name and numbers stand beside it.
 */
function ChartFrame({
  label,
  ticks,
  labels,
  tickText,
  labelText,
  children,
}: {
  label: string;
  ticks: readonly Tick[];
  labels: readonly ColumnLabel[];
  tickText: (value: number) => string;
  labelText: (index: number) => string;
  children: ReactNode;
}) {
  const height = ABOVE + PLOT_HEIGHT + BELOW;
  return (
    <div aria-label={label} className="chart-drawing" role="img">
      <svg aria-hidden="true" className="w-12 flex-none" height={height}>
        {ticks.map(({ value, top }) => (
          <text dominantBaseline="middle" key={value} textAnchor="end" x="100%" y={ABOVE + top}>
            {tickText(value)}
          </text>
        ))}
      </svg>
      <svg aria-hidden="true" className="min-w-0 flex-1 overflow-visible" height={height}>
        <g transform={`translate(0 ${ABOVE})`}>
          {ticks.map(({ value, top }) => (
            <line
              className={value === 0 ? 'stroke-edge' : 'stroke-line'}
              key={value}
              x1="0"
              x2="100%"
              y1={top}
              y2={top}
            />
          ))}
          {children}
          {labels.map(({ index, middle, extra }) => (
            <text
              className={extra ? 'chart-extra max-wide:hidden' : undefined}
              key={index}
              textAnchor="middle"
              x={`${middle}%`}
              y={PLOT_HEIGHT + 20}
            >
              {labelText(index)}
            </text>
          ))}
        </g>
      </svg>
    </div>
  );
}

/** What the looks mean. */
export function ChartKey({ names, shape }: { names: readonly string[]; shape: 'area' | 'line' }) {
  const hatching = useId();
  return (
    <ul className="chart-key flex flex-wrap gap-x-5 gap-y-1">
      {names.map((name, index) => (
        <li className="flex items-center gap-2" key={name}>
          <svg aria-hidden="true" height="14" width="22">
            {shape === 'area' ? (
              <>
                <defs>
                  <Hatching id={hatching} />
                </defs>
                <rect
                  className={areaColors[seriesLooks[index] ?? 'plain']}
                  fill={index === 0 ? undefined : `url(#${hatching})`}
                  height="12"
                  width="20"
                  x="1"
                  y="1"
                />
              </>
            ) : (
              <>
                <Line look={seriesLooks[index] ?? 'plain'} path="M0 7H22" />
                <circle
                  className={pointColors[seriesLooks[index] ?? 'plain']}
                  cx="11"
                  cy="7"
                  r="3.5"
                />
              </>
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Stacked columns. `columnTitle` appears where the pointer rests. */
export function ColumnsChart({
  plan,
  label,
  tickText,
  labelText,
  columnTitle,
}: {
  plan: ColumnsPlan;
  label: string;
  tickText: (value: number) => string;
  labelText: (index: number) => string;
  columnTitle: (index: number) => string;
}) {
  const hatching = useId();
  return (
    <ChartFrame
      label={label}
      labelText={labelText}
      labels={plan.labels}
      ticks={plan.ticks}
      tickText={tickText}
    >
      <defs>
        <Hatching id={hatching} />
      </defs>
      {plan.columns.map(({ left, width, parts }, column) => (
        <g className="group" key={left}>
          <title>{columnTitle(column)}</title>
          <rect
            className="fill-transparent group-hover:fill-sand"
            height={PLOT_HEIGHT}
            width={`${width}%`}
            x={`${left}%`}
            y="0"
          />
          {parts.map(({ top, height }, series) =>
            height > 0 ? (
              <rect
                className={areaColors[seriesLooks[series] ?? 'plain']}
                fill={series === 0 ? undefined : `url(#${hatching})`}
                height={height}
                key={series}
                width={`${width}%`}
                x={`${left}%`}
                y={top}
              />
            ) : null,
          )}
        </g>
      ))}
    </ChartFrame>
  );
}

/** Beyond this, points would touch each other: only lone ones and the newest are drawn. */
const MAX_DRAWN_POINTS = 31;

/** Lines with a point for every value. `pointTitle` appears where the pointer rests. */
export function LinesChart({
  plan,
  label,
  tickText,
  labelText,
  pointTitle,
}: {
  plan: LinesPlan;
  label: string;
  tickText: (value: number) => string;
  labelText: (index: number) => string;
  pointTitle: (series: number, index: number) => string;
}) {
  return (
    <ChartFrame
      label={label}
      labelText={labelText}
      labels={plan.labels}
      ticks={plan.ticks}
      tickText={tickText}
    >
      {plan.lines.map(({ path, points }, series) => {
        const look = seriesLooks[series] ?? 'plain';
        const known = new Set(points.map(({ index }) => index));
        const drawn = points.filter(
          ({ index }, place) =>
            points.length <= MAX_DRAWN_POINTS ||
            place === points.length - 1 ||
            !(known.has(index - 1) || known.has(index + 1)),
        );
        return (
          <g key={series}>
            {/* A path knows no percentages: it gets a box of its own that is stretched. */}
            <svg
              height={PLOT_HEIGHT}
              overflow="visible"
              preserveAspectRatio="none"
              viewBox={`0 0 100 ${PLOT_HEIGHT}`}
              width="100%"
            >
              <Line look={look} path={path} />
            </svg>
            {drawn.map(({ index, middle, top }) => (
              <circle className={pointColors[look]} cx={`${middle}%`} cy={top} key={index} r="3.5">
                <title>{pointTitle(series, index)}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </ChartFrame>
  );
}

/** One bar: `share` of the room in percent. */
type Bar = {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly share: number;
};

const ROW = 34;

/** Bars beneath one another, each with its name and value on it. */
export function BarsChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  return (
    <div aria-label={label} className="chart-drawing" role="img">
      <svg
        aria-hidden="true"
        className="min-w-0 flex-1 overflow-visible"
        height={bars.length * ROW}
      >
        {bars.map(({ id, name, value, share }, index) => (
          <g key={id} transform={`translate(0 ${index * ROW})`}>
            <text className="fill-ink text-[0.8125rem]" x="0" y="14">
              {name}
            </text>
            <text className="fill-ink text-[0.8125rem]" textAnchor="end" x="100%" y="14">
              {value}
            </text>
            <rect className="fill-sand" height="8" width="100%" y="20" />
            <rect className="fill-turquoise" height="8" width={`${share}%`} y="20" />
          </g>
        ))}
      </svg>
    </div>
  );
}
