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
