import type { PlainDate } from '~/base/dates/dates.ts';

/** The desk accepts PDFs up to 5 MB, by the customer's specification. */
export const MAX_PDF_MEGABYTES = 5;
export const MAX_PDF_BYTES = MAX_PDF_MEGABYTES * 1024 * 1024;
/** Files of one message that are kept, each within the same size. */
export const MAX_MESSAGE_FILES = 10;

/**
 * `wrong_type`: not a PDF, whatever its name. `too_large`: over 5 MB. `broken`: begins like a PDF and does not end like
 * one, or has no page that can be drawn. `unsafe`: it can run, open or carry something, is encrypted, cannot be checked completely, or takes too long.
 * `busy`: too many files wait to be checked; the same file may be sent again.
 */
const pdfErrors = ['wrong_type', 'too_large', 'broken', 'unsafe', 'busy'] as const;
export type PdfError = (typeof pdfErrors)[number];

/** What an e-visa and its application both say. An insurance has no nationality and validity to compare. */
export const comparedFacts = [
  'passportNumber',
  'lastName',
  'firstName',
  'dateOfBirth',
  'nationality',
  'validity',
] as const;
export type ComparedFact = (typeof comparedFacts)[number];

/**
 * In spite of what else a decision may be sent: nobody could read the PDF, another traveller got the same file, the
 * application may be a duplicate.
 */
export const otherDifferences = ['unread', 'same_file', 'duplicate'] as const;

/** Days as `YYYY-MM-DD`. */
export type PersonFacts = {
  passportNumber: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  /** Of an e-visa: how its country is written, the first as it is shown, and the day that it has to be valid on. */
  visa?: { nationality: readonly string[]; arrival: string };
};

/** The first and the last day on which an e-visa may be used. */
export type Validity = { from: PlainDate; until: PlainDate };

/** `missing`: the document says nothing like it. */
export type FactMark = 'match' | 'differs' | 'missing';

export type ComparedField = {
  fact: ComparedFact;
  /** As the application has it. */
  applied: string;
  /** Null where the document cannot be read. */
  mark: FactMark | null;
  /** What the document says instead; its validity in any case, as two days with a slash between. */
  says: readonly string[];
};

/** A PDF compared with its application. */
export type Comparison = {
  fields: readonly ComparedField[];
  validity: Validity | null;
  /** Numbers of other applications that got the same file, newest first. */
  usedFor: readonly string[];
};

/** Of a document without readable text nothing is marked. */
export const isRead = ({ fields }: Pick<Comparison, 'fields'>): boolean =>
  fields.every(({ mark }) => mark !== null);

/** Whether it says everything that the application says. */
export const isMatch = ({ fields }: Pick<Comparison, 'fields'>): boolean =>
  fields.every(({ mark }) => mark === 'match');

/**
 * Whether a person must check it before it is sent: something differs or was not found, it cannot be read, or another
 * traveller got the same file.
 */
export const needsCheck = (comparison: Pick<Comparison, 'fields' | 'usedFor'>): boolean =>
  comparison.usedFor.length > 0 || !isMatch(comparison);

/** PDFs of one person that may wait together for their applications. */
export const MAX_WAITING_PDFS = 30;

/** Why a PDF does not wait. `same_file`: its bytes wait already. `full`: see `MAX_WAITING_PDFS`. */
export const waitingErrors = [...pdfErrors, 'same_file', 'full'] as const;
export type WaitingError = (typeof waitingErrors)[number];

/** Characters of a file's name that are kept. */
export const MAX_FILE_NAME_LENGTH = 200;
