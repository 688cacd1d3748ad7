import { useId, type ReactNode } from 'react';
import { type ColumnLabel, type Tick, PLOT_HEIGHT } from './scale.ts';

/** Room above the plot for the highest name of the axis, and below it for the names of the columns. */
const ABOVE = 10;
const BELOW = 28;

/** How a series is drawn: the first plain, the second hatched and hollow, to be told apart without colour. */
export type SeriesLook = 'plain' | 'second';
export const seriesLooks: readonly SeriesLook[] = ['plain', 'second'];

export const areaColors: Readonly<Record<SeriesLook, string>> = {
  plain: 'fill-turquoise',
  second: 'stroke-cobalt',
};

export const pointColors: Readonly<Record<SeriesLook, string>> = {
  plain: 'fill-turquoise stroke-turquoise stroke-2',
  second: 'fill-paper stroke-cobalt stroke-2',
};

const lineColors: Readonly<Record<SeriesLook, string>> = {
  plain: 'stroke-turquoise stroke-3',
  second: 'stroke-cobalt stroke-[1.5px]',
};

/** As wide at every width of the drawing, which stretches it. */
export function Line({ look, path }: { look: SeriesLook; path: string }) {
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
export function Hatching({ id }: { id: string }) {
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
export function ChartFrame({
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
