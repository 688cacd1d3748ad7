import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';

/** Cuts of OCR-B: the regular one, with square ends of strokes, and slanted. */
export type Cut = 'OCRB' | 'OCRBS' | 'OCRBL';

/** OCR-B, the print of the machine-readable lines. */
export const openFont = (cut: Cut = 'OCRB') =>
  create(readFileSync(join(import.meta.dirname, `${cut}.otf`)));

export type Font = ReturnType<typeof openFont>;
