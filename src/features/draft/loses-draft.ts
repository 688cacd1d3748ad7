import type { Typed } from './draft-content.ts';

type Begun = {
  applicationNumber: string | null;
  changing: string | null;
  content: { typed: Typed };
};

/** Whether opening an application again would make this browser forget another one that it has begun. */
export const losesDraft = (draft: Begun | null, number: string): boolean =>
  draft !== null &&
  draft.applicationNumber === null &&
  draft.changing !== number &&
  Object.values(draft.content.typed).some((value) => value !== '');
