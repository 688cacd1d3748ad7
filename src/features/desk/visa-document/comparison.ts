import type { DocumentMatch } from './document-match.ts';

/** The comparison of a PDF with its application. */
export type Comparison = {
  /** Which of the person's facts it contains; null where it has no readable text. */
  match: DocumentMatch | null;
  /** Numbers of other applications that got the same file, newest first. */
  usedFor: string[];
};

/**
 * Whether a person must check it before it is sent: a fact is missing in it, or another traveller got the same file.
 */
export const needsALook = ({ match, usedFor }: Comparison): boolean =>
  usedFor.length > 0 || (match !== null && Object.values(match).includes(false));
