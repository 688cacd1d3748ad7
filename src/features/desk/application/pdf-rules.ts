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

/** The facts of a person that an e-visa and the application both contain. */
export const comparedFacts = ['passportNumber', 'lastName', 'firstName', 'dateOfBirth'] as const;
export type ComparedFact = (typeof comparedFacts)[number];
export type PersonFacts = Record<ComparedFact, string>;

/** Whether a document's text contains each fact of the application. */
export type DocumentMatch = Record<ComparedFact, boolean>;

/** What a document has in the place of facts that were not found in it. */
export type WrittenInstead = Partial<Record<ComparedFact, string[]>>;

/** The comparison of a PDF with its application. */
export type Comparison = {
  /** Which of the person's facts it contains; null where it has no readable text. */
  match: DocumentMatch | null;
  instead: WrittenInstead;
  /** Numbers of other applications that got the same file, newest first. */
  usedFor: string[];
};

/** Whether it contains every fact; false where a fact is missing, and where it could not be compared. */
export const isMatch = (match: DocumentMatch | null): boolean =>
  match !== null && !Object.values(match).includes(false);

/**
 * Whether a person must check it before it is sent: a fact is missing in it, it could not be compared, or another
 * traveller got the same file.
 */
export const needsCheck = ({ match, usedFor }: Pick<Comparison, 'match' | 'usedFor'>): boolean =>
  usedFor.length > 0 || !isMatch(match);

/** What the desk shows of a comparison as soon as a file is there. `isElsewhere`: another traveller got it already. */
export type ComparisonMarks = { match: DocumentMatch | null; isElsewhere: boolean };

export const comparisonMarks = ({ match, usedFor }: Comparison): ComparisonMarks => ({
  match,
  isElsewhere: usedFor.length > 0,
});

/** PDFs that one batch takes; more are left out, and their number is said. */
export const MAX_BATCH_FILES = 30;

/** Why a file of a batch cannot be used. `same_file`: its bytes are in the batch already. */
export const batchFaults = [...pdfErrors, 'same_file'] as const;
export type BatchFault = (typeof batchFaults)[number];

/** Characters of a file's name that are kept. */
export const MAX_FILE_NAME_LENGTH = 200;
