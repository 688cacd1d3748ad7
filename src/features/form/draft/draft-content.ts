import * as z from 'zod/mini';
import type { Typed } from '../answers/controls.ts';

/** The content of a draft, stored sealed. A form of one page has one step. */
export type DraftContent<Step extends string> = {
  /** Every control as it was left, valid or not. */
  typed: Record<string, string>;
  /** Steps on which Next was pressed: their problems are shown as soon as they open. */
  attempted: Step[];
  /** For each step, the page that wrote it last and the version of the draft this made. */
  written: Partial<Record<Step, { version: number; page: string; turn: number }>>;
};

/**
 * Parses stored content.
 * @throws Error for anything else.
 */
export const draftContentOf = <Step extends string>(steps: readonly [Step, ...Step[]]) =>
  z.object({
    typed: z.record(z.string(), z.string()),
    attempted: z.array(z.enum(steps)),
    written: z.partialRecord(
      z.enum(steps),
      z.object({ version: z.number(), page: z.string(), turn: z.number() }),
    ),
  });

/** What a page submits for one step. */
export type Writing<Step extends string> = {
  step: Step;
  entries: Typed;
  /** A random id made whenever a page is rendered: two tabs have different ones, going back to a page keeps it. */
  page: string;
  /** The draft's version when the page was rendered. */
  seen: number;
  /** Counts what this page has sent, so that an older message arriving late is not written. */
  turn: number;
  /** `next`, `button` for another button, or `itself` while typing: see `use-autosave.tsx`. */
  by: 'next' | 'button' | 'itself';
};

export type Written<Step extends string> = {
  content: DraftContent<Step>;
  /**
   * Answers that another page had changed in the meantime and this one has replaced: the last write wins, and is
   * reported.
   */
  replaced: Typed;
};

export type WritingRules<Step extends string> = {
  controlsOf: (step: Step) => readonly string[];
  /** Merges new entries into old ones. */
  mergeTyped: (old: Typed, entries: Typed) => Typed;
  /** Steps whose old problems no longer count, because the new answers void what was answered there. */
  begunAnew: (old: Typed, now: Typed) => readonly Step[];
};

/** Writes one step into a draft; `version`: the draft's next version. */
export function write<Step extends string>(
  { controlsOf, mergeTyped, begunAnew }: WritingRules<Step>,
  old: DraftContent<Step>,
  version: number,
  { step, entries, page, seen, turn, by }: Writing<Step>,
): Written<Step> {
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

function differences(controls: readonly string[], before: Typed, after: Typed): Typed {
  return Object.fromEntries(
    controls.flatMap((control) => {
      const was = before[control] ?? '';
      return was !== '' && was !== (after[control] ?? '') ? [[control, was]] : [];
    }),
  );
}

type Begun = {
  applicationNumber: string | null;
  changing: string | null;
  content: { typed: Typed };
};

/** Whether opening an application again would replace a draft of another one in this browser. */
export const losesDraft = (draft: Begun | null, number: string): boolean =>
  draft !== null &&
  draft.applicationNumber === null &&
  draft.changing !== number &&
  Object.values(draft.content.typed).some((value) => value !== '');

/** A file that has arrived and is listed on its page. */
export type DraftFile = {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  /** It belongs to an application already, which is being changed. */
  isStored: boolean;
};
