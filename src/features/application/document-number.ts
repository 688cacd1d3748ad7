import { latinDigits } from '~/base/digits.ts';

/** A document's number as it is stored and shown: Latin digits and capitals; spaces, hyphens and direction marks go. */
export const tidyDocumentNumber = (typed: string): string =>
  latinDigits(typed)
    .replace(/[\s\p{Dash}\p{Cf}]/gu, '')
    .toUpperCase();
