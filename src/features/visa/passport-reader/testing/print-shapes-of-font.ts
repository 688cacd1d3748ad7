import sharp from 'sharp';
import { CELL, SIGNS } from '../picture/shapes.ts';
import { openFont } from './ocr-b/font.ts';

/** The shapes of OCR-B as `print-shapes.ts` has them: for each sign a bit for each pixel of a cell, row by row, in base64. */
export async function shapesOfFont(): Promise<string> {
  const font = openFont();
  const bits: boolean[] = [];
  for (const sign of SIGNS) {
    const glyph = font.glyphForCodePoint(sign.codePointAt(0) ?? 0);
    // Capitals reach from the base line to 680 units, and fill the cell but for its margin.
    const down = (CELL.height - 2 * CELL.margin) / 680;
    const across = CELL.width / glyph.advanceWidth;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${CELL.width}" height="${CELL.height}"><rect width="100%" height="100%" fill="#fff"/><path transform="translate(0 ${CELL.height - CELL.margin}) scale(${across} ${-down})" d="${glyph.path.toSVG()}"/></svg>`;
    const { data } = await sharp(Buffer.from(svg), { density: 72 })
      .grayscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    bits.push(...Array.from(data, (value) => value < 128));
  }
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [index, isInk] of bits.entries()) {
    if (isInk) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return Buffer.from(bytes).toString('base64');
}
