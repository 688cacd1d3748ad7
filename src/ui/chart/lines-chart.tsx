import { ChartFrame, Line, pointColors, seriesLooks } from './chart-frame.tsx';
import type { LinesPlan } from './plan-lines.ts';
import { PLOT_HEIGHT } from './scale.ts';

/** Beyond this, points would touch each other: only lone ones and the newest are drawn. */
const MOST_POINTS = 31;

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
            points.length <= MOST_POINTS ||
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
