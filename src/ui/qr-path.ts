import { encode } from 'uqr';

export type QrCode = {
  /** Squares along a side; the path is drawn in a box of that size, without a margin. */
  size: number;
  /** An SVG path of the dark squares. */
  path: string;
};

/** With error correction Q: it is read with a quarter of it lost, as on folded or copied paper. */
export function qrPath(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'Q', border: 0 });
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: runs.join('') };
}

/** Neighbouring dark squares as one: hairlines between them would show in print. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    if (!dark) return;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
