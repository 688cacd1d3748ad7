/** The desk accepts PDFs up to 5 MB, by the customer's specification. */
export const MAX_PDF_MEGABYTES = 5;
export const MAX_PDF_BYTES = MAX_PDF_MEGABYTES * 1024 * 1024;

/**
 * `wrong_type`: not a PDF, whatever its name. `too_large`: over 5 MB. `broken`: begins like a PDF and does not end like
 * one, or has no page that can be drawn. `unsafe`: it can run, open or carry something, is encrypted, cannot be checked completely, or takes too long.
 * `busy`: too many files wait to be checked; the same file may be sent again.
 */
export const pdfErrors = ['wrong_type', 'too_large', 'broken', 'unsafe', 'busy'] as const;
export type PdfError = (typeof pdfErrors)[number];
