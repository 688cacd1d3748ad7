import type { TypedAnswers, FormName } from '../answers/controls.ts';

export const forms = ['visa', 'insurance'] as const satisfies readonly FormName[];

/** The first page of each form; those of "save for later" and of an emailed link lie below it. */
export const formStarts: Readonly<Record<FormName, string>> = {
  visa: '/application',
  insurance: '/insurance',
};

/** The cookie of a browser that applies for e-visas; it opens every traveller of a party, whichever form is theirs. */
export const PARTY_COOKIE = 'lale_draft';

/** A form whose answers are kept in a draft until they are submitted. */
export type DraftForm = {
  name: FormName;
  /** The cookie that holds a browser's token. */
  cookie: string;
  /** Where an unpaid application is paid. */
  paymentPath: (applicationNumber: string) => string;
  /** The controls of a step that hold answers; a form of one page has one step. */
  controlsOf: (step: string) => readonly string[];
  /** Merges new entries into old ones. */
  mergeTyped: (old: TypedAnswers, entries: TypedAnswers) => TypedAnswers;
  /** Steps whose old problems no longer count, because the new answers void what was answered there. */
  begunAnew: (old: TypedAnswers, now: TypedAnswers) => readonly string[];
  /** What was answered, by field, for an emailed link to tell; '' for no answer. */
  answersIn: (typed: TypedAnswers) => Readonly<Partial<Record<string, string>>>;
  /** The fields with a country's code and with the first day. */
  nationality: string;
  firstDay: string;
};

/** Which traveller of a party a draft is of. */
export type PartyPlace = {
  /** The party's id. */
  id: string;
  /** From 1; stays the same when another traveller is removed. */
  position: number;
  /** Of all travellers, in order. */
  positions: readonly number[];
};

/** What a page submits for one step. */
export type StepSubmission = {
  step: string;
  entries: TypedAnswers;
  /** A random id made whenever a page is rendered: two tabs have different ones, going back to a page keeps it. */
  page: string;
  /** The draft's version when the page was rendered. */
  seen: number;
  /** Counts what this page has sent, so that an older message arriving late is not written. */
  turn: number;
  /** `next`, `button` for another button, or `itself` while typing: see `useAutosave`. */
  by: 'next' | 'button' | 'itself';
};

/** A file that has arrived and is listed on its page. */
export type DraftFile = {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  /** It belongs to an application already, which is being changed. */
  isStored: boolean;
};
