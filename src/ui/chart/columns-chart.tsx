import { useId } from 'react';
import { areaColors, ChartFrame, Hatching, seriesLooks } from './chart-frame.tsx';
import type { ColumnsPlan } from './plan-columns.ts';
import { PLOT_HEIGHT } from './scale.ts';

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
