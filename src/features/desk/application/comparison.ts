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
export const needsALook = ({ match, usedFor }: Pick<Comparison, 'match' | 'usedFor'>): boolean =>
  usedFor.length > 0 || !isMatch(match);

/** What the desk shows of a comparison as soon as a file is there. `isElsewhere`: another traveller got it already. */
export type ComparisonMarks = { match: DocumentMatch | null; isElsewhere: boolean };

export const marksOf = ({ match, usedFor }: Comparison): ComparisonMarks => ({
  match,
  isElsewhere: usedFor.length > 0,
});
