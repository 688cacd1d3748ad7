import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';

/** OCR-B, the print of the machine-readable lines. */
export const openFont = () => create(readFileSync(join(import.meta.dirname, 'OCRB.otf')));

export type Font = ReturnType<typeof openFont>;
