/** Brass string through the ring of the luggage tag. */
export function TagString() {
  return (
    <svg aria-hidden="true" className="tag-string" height="92" viewBox="0 0 40 92" width="40">
      <path d="M20 75C17 66 4.500 46 4.500 25 4.500 10 10.500 2 20 2s15.500 7 15.500 18.500C35.500 42 23 63 20 75" />
      <path d="M18 66q1.200 5 2 9 1-4.500 2.600-9" />
      <circle cx="20" cy="77" r="11" />
    </svg>
  );
}

// Widths of bars and of the gaps between them. An ornament: it encodes nothing.
const bars = '621112133133213213134213331142331213213141123313133142';
const gaps = '2222232232322232223223';

/** Ornamental bars at the foot of the tag. */
export function Barcode() {
  let x = 0;
  let path = '';
  Array.from(bars, Number).forEach((bar, index) => {
    path += `M${x} 0h${bar}v34h-${bar}z`;
    x += bar + Number(gaps[index % gaps.length]);
  });
  return (
    <svg
      aria-hidden="true"
      className="barcode"
      height="34"
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${x - 2} 34`}
    >
      <path d={path} />
    </svg>
  );
}
