import { pdfErrors } from '../application/pdf-rules.ts';

/** PDFs that one batch takes; more are left out, and their number is said. */
export const MOST_FILES = 30;

/** Why a file of a batch cannot be used. `same_file`: its bytes are in the batch already. */
export const batchFaults = [...pdfErrors, 'same_file'] as const;
export type BatchFault = (typeof batchFaults)[number];

/** Characters of a file's name that are kept. */
export const LONGEST_NAME = 200;
