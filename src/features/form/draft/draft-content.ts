import * as z from 'zod/mini';
import type { Typed } from '../answers/controls.ts';

/** How long a link by e-mail works; the draft itself lives two days longer. */
export const LINK_DAYS = 28;

/** What a draft holds, sealed. A form of one page has one step. */
export type DraftContent<Step extends string> = {
  /** Every control as it was left, valid or not. */
  typed: Record<string, string>;
  /** Steps on which Next was pressed: there, what is wrong is shown from the first. */
  attempted: Step[];
  /** Which opened page wrote a step last, and which version of the draft that made. */
  written: Partial<Record<Step, { version: number; page: string; turn: number }>>;
};

/**
 * Reads what was sealed.
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

/** What an opened page sends about one step. */
export type Writing<Step extends string> = {
  step: Step;
  entries: Typed;
  /** Made anew whenever a page is rendered: two tabs differ, Back into the same page does not. */
  page: string;
  /** The draft's version when the page was rendered. */
  seen: number;
  /** Counts what this page has sent; something older that arrives late is not written. */
  turn: number;
  /** next, or another button, or nothing but the passing of time: see `use-keep.tsx`. */
  by: 'next' | 'button' | 'itself';
};

export type Written<Step extends string> = {
  content: DraftContent<Step>;
  /** Controls whose answer another page had changed meanwhile, with that answer. The last write counts, but is said. */
  replaced: Typed;
};

export type WritingRules<Step extends string> = {
  controlsOf: (step: Step) => readonly string[];
  /** New entries over old ones. */
  retype: (old: Typed, entries: Typed) => Typed;
  /** Steps whose old problems are over, because the new answers void what was answered there. */
  begunAnew: (old: Typed, now: Typed) => readonly Step[];
};

/** Writes one step into a draft; `version` is the one that this makes. */
export function write<Step extends string>(
  { controlsOf, retype, begunAnew }: WritingRules<Step>,
  old: DraftContent<Step>,
  version: number,
  { step, entries, page, seen, turn, by }: Writing<Step>,
): Written<Step> {
  const last = old.written[step];
  const isSamePage = last?.page === page;
  if (last && isSamePage && turn < last.turn) return { content: old, replaced: {} };

  const isFromElsewhere = last !== undefined && !isSamePage && last.version > seen;
  const replaced = isFromElsewhere ? differences(controlsOf(step), old.typed, entries) : {};
  // What nobody has asked to write replaces nothing: the traveller hears of it at the next button.
  if (by === 'itself' && Object.keys(replaced).length > 0) return { content: old, replaced };
  const typed = retype(old.typed, entries);
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

/** Whether opening an application again would make this browser forget another one that it has begun. */
export const losesDraft = (draft: Begun | null, number: string): boolean =>
  draft !== null &&
  draft.applicationNumber === null &&
  draft.changing !== number &&
  Object.values(draft.content.typed).some((value) => value !== '');
