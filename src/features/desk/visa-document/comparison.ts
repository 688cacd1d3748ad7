import type { DocumentMatch } from './document-match.ts';

/** A PDF beside the application that it is meant for. */
export type Comparison = {
  /** Which of the person's facts stand in it; null where no text can be read. */
  match: DocumentMatch | null;
  /** Numbers of other applications that were given the same file, the newest first. */
  usedFor: string[];
};

/** Whether somebody has to look before it is sent: a fact is missing in it, or another traveller was given the same file. */
export const needsALook = ({ match, usedFor }: Comparison): boolean =>
  usedFor.length > 0 || (match !== null && Object.values(match).includes(false));
