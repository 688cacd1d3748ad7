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

// Widths of bar and gap in turn. An ornament: it encodes nothing.
const run =
  '6212121313141312131314331216221321412131316141213141312151313121141613131312141316212112';

/** Ornamental bars at the foot of the tag. */
export function Barcode() {
  const bars: { x: number; width: number }[] = [];
  let x = 0;
  for (let index = 0; index < run.length; index += 2) {
    const width = Number(run[index]);
    bars.push({ x, width });
    x += width + Number(run[index + 1] ?? 0);
  }
  return (
    <svg
      aria-hidden="true"
      className="barcode"
      height="34"
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${x - 2} 34`}
    >
      <path d={bars.map((bar) => `M${bar.x} 0h${bar.width}v34h-${bar.width}z`).join('')} />
    </svg>
  );
}
