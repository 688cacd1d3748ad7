import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';

/** OCR-B as it is usual, with square ends of strokes, and slanted. */
export type FontName = 'OCRB' | 'OCRBS' | 'OCRBL';

/** OCR-B, the print of the machine-readable lines. */
export const openFont = (name: FontName = 'OCRB') =>
  create(readFileSync(join(import.meta.dirname, `${name}.otf`)));

export type Font = ReturnType<typeof openFont>;
