/** One bar: `share` of the room in percent. */
export type Bar = {
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
      <svg aria-hidden="true" className="chart-plot" height={bars.length * ROW}>
        {bars.map(({ id, name, value, share }, index) => (
          <g key={id} transform={`translate(0 ${index * ROW})`}>
            <text className="chart-name" x="0" y="14">
              {name}
            </text>
            <text className="chart-name" textAnchor="end" x="100%" y="14">
              {value}
            </text>
            <rect className="chart-track" height="8" width="100%" y="20" />
            <rect className="chart-area chart-plain" height="8" width={`${share}%`} y="20" />
          </g>
        ))}
      </svg>
    </div>
  );
}
