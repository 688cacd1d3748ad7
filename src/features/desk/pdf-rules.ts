/** Specification, section 5: the desk takes PDFs up to 5 MB. */
export const MAX_PDF_BYTES = 5 * 1024 * 1024;

/**
 * wrong_type: not a PDF, whatever its name says. too_large: over 5 MB. broken: begins like a PDF and does not end like
 * one. unsafe: it can run, open or carry something, is encrypted, or hides what it does from the check.
 */
export const pdfErrors = ['wrong_type', 'too_large', 'broken', 'unsafe'] as const;
export type PdfError = (typeof pdfErrors)[number];
