import * as z from 'zod/mini';
import type { TypedAnswers, FormName } from '../answers/controls.ts';

export const forms = ['visa', 'insurance'] as const satisfies readonly FormName[];

/** The first page of each form; those of "save for later" and of an emailed link lie below it. */
export const formStarts: Readonly<Record<FormName, string>> = {
  visa: '/application',
  insurance: '/insurance',
};

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

/** The content of a draft, stored sealed. */
export const draftContent = z.object({
  /** Every control as it was left, valid or not. */
  typed: z.record(z.string(), z.string()),
  /** Steps on which Next was pressed: their problems are shown as soon as they open. */
  attempted: z.array(z.string()),
  /** For each step, the page that wrote it last and the version of the draft this made. */
  written: z.record(
    z.string(),
    z.object({ version: z.number(), page: z.string(), turn: z.number() }),
  ),
});
export type DraftContent = z.infer<typeof draftContent>;

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

export type StepWriteResult = {
  content: DraftContent;
  /**
   * Answers that another page had changed in the meantime and this one has replaced: the last write wins, and is
   * reported.
   */
  replaced: TypedAnswers;
};

/** Writes one step into a draft; `version`: the draft's next version. */
export function writeStep(
  { controlsOf, mergeTyped, begunAnew }: DraftForm,
  old: DraftContent,
  version: number,
  { step, entries, page, seen, turn, by }: StepSubmission,
): StepWriteResult {
  const last = old.written[step];
  const isSamePage = last?.page === page;
  if (last && isSamePage && turn < last.turn) return { content: old, replaced: {} };

  const isFromElsewhere = last !== undefined && !isSamePage && last.version > seen;
  const replaced = isFromElsewhere ? differences(controlsOf(step), old.typed, entries) : {};
  // Saving while typing replaces nothing of another page: that is reported at the next button.
  if (by === 'itself' && Object.keys(replaced).length > 0) return { content: old, replaced };
  const typed = mergeTyped(old.typed, entries);
  const anew = begunAnew(old.typed, typed);
  const attempted = new Set(old.attempted.filter((one) => !anew.includes(one)));
  if (by === 'next') attempted.add(step);
  return {
    content: {
      typed: { ...typed },
      attempted: [...attempted],
      written: { ...old.written, [step]: { version, page, turn } },
    },
    replaced,
  };
}

function differences(
  controls: readonly string[],
  before: TypedAnswers,
  after: TypedAnswers,
): TypedAnswers {
  return Object.fromEntries(
    controls.flatMap((control) => {
      const was = before[control] ?? '';
      return was !== '' && was !== (after[control] ?? '') ? [[control, was]] : [];
    }),
  );
}

/** A file that has arrived and is listed on its page. */
export type DraftFile = {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  /** It belongs to an application already, which is being changed. */
  isStored: boolean;
};
