import { qrPath } from './qr-path.ts';

/** Squares of white round the code: a reader needs four (ISO/IEC 18004). */
const MARGIN = 4;

/** A QR code as a picture; black on white in every colour scheme, as cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrPath(text);
  const side = size + 2 * MARGIN;
  return (
    <svg
      aria-label={label}
      className="qr-code"
      height={200}
      role="img"
      shapeRendering="crispEdges"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      width={200}
    >
      <rect fill="#fff" height={side} width={side} x={-MARGIN} y={-MARGIN} />
      <path d={path} fill="#000" />
    </svg>
  );
}
